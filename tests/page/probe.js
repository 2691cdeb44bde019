// Put at the end of a copy of a page: does what a reader does, and leaves what it saw in the page as JSON.
"use strict";
(async () => {
    const seen = {errors: [], violations: []};
    window.addEventListener("error", (event) => seen.errors.push(event.message));
    document.addEventListener("securitypolicyviolation", (event) => seen.violations.push(event.violatedDirective));
    const table = document.getElementById("rows");
    const heads = [...table.tHead.rows[0].cells];
    const nameOf = (row) => [0, 1, 2, 3].map((i) => row.cells[i].firstChild.textContent.trim()).join("/");
    const names = () => [...table.tBodies[0].rows].filter((row) => row.getClientRects().length > 0).map(nameOf);
    const change = (id, value, event) => {
        document.getElementById(id).value = value;
        document.getElementById(id).dispatchEvent(new Event(event, {bubbles: true}));
    };
    const shown = () => ({names: names(), said: document.getElementById("shown").textContent});
    const tick = () => new Promise((done) => setTimeout(done, 50));
    try {
        seen.controls = document.getElementById("controls").getClientRects().length;
        seen.start = shown();
        seen.buttons = heads.map((head) => head.firstElementChild.tagName + head.firstElementChild.tabIndex);
        seen.sorted = {};
        for (const head of heads) {
            const column = head.textContent;
            seen.sorted[column] = [];
            for (let i = 0; i < 2; i++) {
                head.firstElementChild.click();
                seen.sorted[column].push({names: names(), said: heads.map((h) => h.getAttribute("aria-sort"))});
            }
        }
        seen.chosen = {};
        for (const words of ["cublas hot", "HOT  cublas", "failed", "no such row", ""]) {
            change("words", words, "input");
            seen.chosen["words " + words] = shown();
        }
        change("choose-workload", "mnist", "change");
        seen.chosen.mnist = shown();
        change("choose-workload", "", "change");
        for (const [id, value] of [["op", "grayscale"], ["workload", "puppy"], ["backend", "cuda"], ["mode", "e2e"]]) {
            change("choose-" + id, value, "change");
            seen.chosen[id] = shown();
        }
        change("words", "2d", "input");
        seen.chosen.both = shown();
        location.hash = table.tBodies[0].querySelector("tr[data-status=failed]").id;
        await tick();
        seen.chosen["a link to a hidden row"] = shown();
        change("words", "2d", "input");
        document.getElementById("reset").click();
        seen.chosen["show all"] = shown();
        const folds = [...document.querySelectorAll("details")];
        const closed = () => folds.filter((fold) => !fold.open).length;
        seen.closed = [closed()];
        for (const event of ["beforeprint", "afterprint"]) {
            window.dispatchEvent(new Event(event));
            seen.closed.push(closed());
            seen.closed.push(table.tHead.querySelectorAll("button").length);
        }
        document.querySelector("figure .enlarge").click();
        await tick();
        const image = document.querySelector("figure img");
        seen.enlarged = [image.getBoundingClientRect().width, image.naturalWidth];
        document.querySelector("figure .reduce").click();
        await tick();
        seen.reduced = image.getBoundingClientRect().width;
        for (const fold of folds) fold.open = true;
        seen.broken = [...document.images].filter((each) => !each.complete || each.naturalWidth === 0).map((each) => each.alt);
        seen.resources = performance.getEntriesByType("resource").map((entry) => entry.name.slice(0, 40));
        seen.widths = [document.documentElement.scrollWidth, document.documentElement.clientWidth, innerWidth];
    } catch (error) {
        seen.errors.push(String(error));
    }
    const pre = document.createElement("pre");
    pre.id = "seen";
    pre.textContent = JSON.stringify(seen);
    document.body.append(pre);
    if (parent !== window) parent.postMessage(pre.textContent, "*");
})();
