// Put at the end of a copy of a page: does what a reader does, and leaves what it saw in the page as JSON.
"use strict";
(async () => {
    const seen = {errors: [], sorted: {}, chosen: {}, divided: {}};
    window.addEventListener("error", (event) => seen.errors.push(event.message));
    document.addEventListener("securitypolicyviolation", (event) => seen.errors.push(event.violatedDirective));
    const find = (id) => document.getElementById(id);
    const table = find("rows");
    const heads = [...table.tHead.rows[0].cells];
    const rows = () => [...table.tBodies[0].rows].filter((row) => row.getClientRects().length > 0);
    const names = () => rows().map((row) => row.id);
    const change = (element, value) => { element.value = value; element.dispatchEvent(new Event("input", {bubbles: true})); };
    const texts = (column) => rows().map((row) => [...row.cells[column].childNodes].slice(0, 2).map((part) => part.textContent));
    const tick = () => new Promise((done) => setTimeout(done, 50));

    const numbers = (color) => color.match(/[\d.]+/g).map(Number);
    const light = (color) => numbers(color).slice(0, 3).map((x) => x / 255)
        .map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
        .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);

    // The least contrast of a text with what is behind it.
    function contrasts() {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const paper = (element) => {
            const color = getComputedStyle(element).backgroundColor;
            return numbers(color)[3] === 0 ? paper(element.parentElement) : color;
        };
        const found = [];
        while (walker.nextNode()) {
            const element = walker.currentNode.parentElement;
            if (walker.currentNode.data.trim() === "" || element.getClientRects().length === 0) continue;
            const [a, b] = [getComputedStyle(element).color, paper(element)].map(light);
            found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.tagName]);
        }
        return found.sort((a, b) => a[0] - b[0])[0];
    }

    try {
        seen.dark = light(getComputedStyle(document.body).backgroundColor) < 0.1;
        seen.contrast = contrasts();
        seen.titles = rows().filter((row) => row.title).length; // the page's script has taken them
        seen.tabs = [find("controls").getClientRects().length - 1, ...heads.map((head) => head.firstElementChild.tabIndex)];
        for (const head of heads) {
            const column = head.cellIndex;
            seen.sorted[column] = [];
            for (let i = 0; i < 2; i++) {
                head.firstElementChild.click();
                seen.sorted[column].push({ids: names(), said: heads.map((each) => each.ariaSort), keys: rows().map((row) =>
                    row.cells[column].dataset.value ?? row.cells[column].textContent.trim())});
            }
        }
        for (const words of ["cublas cold", "COLD  cublas", "sgemm tf32 DISABLED", "wrong", "no such row", ""]) {
            change(find("words"), words);
            seen.chosen["words " + words] = [names(), find("shown").textContent];
        }
        for (const choice of document.querySelectorAll("select[data-filter]")) {
            change(choice, choice.options[1].value);
            seen.chosen[choice.dataset.filter] = [names(), choice.value];
            change(choice, "");
        }
        change(find("words"), "tiled hot");
        seen.reachable = rows().map((row) => row.tabIndex);
        change(find("words"), "no such row");
        location.hash = "row-2";
        await tick();
        seen.chosen.link = [names(), ""];
        change(find("words"), "cold");
        let copied = "";
        document.execCommand = () => { copied = document.activeElement.value; return true; };
        find("copy").click();
        seen.copied = [copied, names().length];
        find("reset").click();
        const column = find("speedup").cellIndex;
        seen.measured = texts(column);
        for (const option of find("baseline").options) {
            change(find("baseline"), option.value);
            const values = rows().map((row) => row.cells[column].dataset.value);
            seen.divided[option.value] = [names(), texts(column), values, find("speedup").textContent];
        }
        change(find("baseline"), "");
        seen.restored = texts(column);
        seen.library = texts(column + 1);
        rows()[0].focus();
        seen.focus = [document.activeElement.id, names(), find("known").textContent];
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true}));
        seen.focus.push(document.activeElement.id, find("known").textContent, document.activeElement.tabIndex);
        const over = () => rows()[3].cells[2].dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
        over();
        seen.pointed = [rows()[3].id, find("known").textContent, find("known").getClientRects().length];
        const escape = new KeyboardEvent("keydown", {key: "Escape"});
        for (const event of [escape, new FocusEvent("focusout"), new PointerEvent("pointerleave")]) {
            over();
            table.tBodies[0].dispatchEvent(event);
            seen.pointed.push(find("known").getClientRects().length);
        }
        for (const fold of document.querySelectorAll("details")) {
            fold.open = true;
            fold.dispatchEvent(new Event("toggle")); // which comes later by itself
        }
        await Promise.allSettled([...document.images].map((each) => each.decode()));
        seen.broken = [...document.images].filter((each) => !each.complete || each.naturalWidth === 0).length;
        seen.resources = performance.getEntriesByType("resource").map((entry) => entry.name.slice(0, 40));
        const {clientWidth, scrollWidth} = document.documentElement;
        const boxes = [...document.querySelectorAll("main, main :is(p, ul, li, div, tr, th, td, dd, img, svg, svg text)")];
        seen.cut = boxes.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !each.matches("svg *") ||
            each.getBoundingClientRect().right > clientWidth + 1).map((each) => `${each.tagName} ${each.textContent.slice(0, 60)}`);
        seen.widths = [innerWidth, clientWidth, scrollWidth, document.querySelector("main").clientWidth];
    } catch (error) {
        seen.errors.push(String(error));
    }
    const pre = document.createElement("pre");
    pre.id = "seen";
    pre.textContent = JSON.stringify(seen);
    document.body.append(pre);
    if (parent !== window) parent.postMessage(pre.textContent, "*");
})();
