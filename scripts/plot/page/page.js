// Makes the table of rows sortable and filterable, divides by another baseline, and shows all of a row. Without it all
// rows stand there, in the order of the ladder.
"use strict";
(() => {
    const find = (id) => document.getElementById(id);
    const table = find("rows");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows];
    const filters = [...document.querySelectorAll("select[data-filter]")];
    const byText = new Intl.Collator("en", {numeric: true});
    const speedup = find("speedup");
    const measured = rows.map((row) => row.cells[speedup.cellIndex]);
    const say = (text) => { find("shown").textContent = text; };

    // What the words are looked for in: what a row is, and what is noted on it; no figures.
    const searched = new Map(rows.map((row) => {
        const texts = [...row.cells].filter((cell) => !cell.matches(".number:not(.state)")).map((cell) => cell.textContent);
        return [row, texts.join(" ").toLowerCase()];
    }));

    const shown = () => [...body.rows].filter((row) => !row.hidden);

    // Of the rows one can be reached with the tabulator, the others from there with the arrow keys.
    let reachable;
    function reach(row) {
        reachable?.removeAttribute("tabindex");
        reachable = row;
        if (row) row.tabIndex = 0;
    }

    function filter() {
        const words = find("words").value.toLowerCase().split(/\s+/);
        for (const row of rows)
            row.hidden = !words.every((word) => searched.get(row).includes(word)) ||
                !filters.every((choice) => ["", row.dataset[choice.dataset.filter]].includes(choice.value));
        reach(shown()[0]);
        say(`${shown().length} of ${rows.length} row${rows.length === 1 ? "" : "s"}`);
    }

    function reset() {
        for (const choice of [find("words"), ...filters]) choice.value = "";
        filter();
    }

    // What is empty comes last in both directions.
    function compare(a, b, numbers, direction) {
        if (a === "" || b === "") return (a === "") - (b === "");
        return direction * (numbers ? a - b : byText.compare(a, b));
    }

    function sort() {
        const head = heads.find((each) => each.ariaSort);
        if (!head) return;
        const numbers = head.matches(".number");
        const key = ({cells: {[head.cellIndex]: cell}}) => cell.dataset.value ?? cell.textContent.trim();
        const direction = head.ariaSort === "ascending" ? 1 : -1;
        body.append(...[...rows].sort((a, b) => compare(key(a), key(b), numbers, direction)));
        reach(shown()[0]);
    }

    function sortBy(head) {
        const next = head.ariaSort === "ascending" ? "descending" : "ascending";
        for (const each of heads) each.ariaSort = null;
        head.ariaSort = next;
        sort();
    }

    for (const head of heads) {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        button.addEventListener("click", () => sortBy(head));
        head.append(button);
    }

    // These write as text.py does.
    const fixed = (x, digits) => digits > 0 ? x.toFixed(digits) : x.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
    function short(x) {
        const rounded = Number(x.toPrecision(2));
        return rounded < 1e-4 ? rounded.toExponential().replace(/-(\d)$/, "-0$1") : String(rounded);
    }
    function factor(x) {
        if (x >= 1e7) return Number(x.toPrecision(3)).toExponential().replace("+", "") + "×";
        if (x >= 0.0995) return (x === 1 ? "1" : fixed(x, x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2)) + "×";
        return short(x) + "×";
    }
    const roughly = (x) => "~" + (x < 99.5 ? short(x) + "×" : factor(Number(x.toPrecision(2))));
    function span(low, high) {
        const digits = Math.max(0, 2 - Math.floor(Math.log10(high)));
        return `${fixed(low, digits)}–${fixed(high, digits)}`;
    }

    const place = ({op, workload}, variant, mode) => JSON.stringify([op, workload, variant, mode]);
    const timed = new Map(rows.filter((row) => row.dataset.time)
        .map((row) => [place(row.dataset, row.dataset.variant, row.dataset.mode), row]));

    // The row of `rung` that a row is divided by: of the same mode, or of the CPU's mode if the rung is one of the CPU's; of the
    // same precision.
    function divisor(row, rung) {
        const host = timed.get(place(row.dataset, rung, row.dataset.hostMode));
        const found = timed.get(place(row.dataset, rung, row.dataset.mode)) ?? (host?.dataset.backend === "cpu" ? host : undefined);
        return found?.dataset.precision === row.dataset.precision ? found : undefined;
    }

    function speedupCell(row, rung) {
        const cell = document.createElement("td");
        const base = row.dataset.time && divisor(row, rung);
        cell.className = "number";
        cell.dataset.value = base ? base.dataset.time / row.dataset.time : "";
        if (!base) return cell;
        const write = base !== row && [base, row].some((each) => "approximate" in each.dataset) ? roughly : factor;
        cell.textContent = write(base.dataset.time / row.dataset.time);
        if (base === row || !base.dataset.low || !row.dataset.low) return cell;
        const range = span(base.dataset.low / row.dataset.high, base.dataset.high / row.dataset.low);
        cell.append(Object.assign(document.createElement("small"), {textContent: range}));
        return cell;
    }

    const heading = speedup.textContent;
    function divide() {
        const rung = find("baseline").value;
        speedup.querySelector("button").textContent = rung === "" ? heading : "Over " + rung;
        rows.forEach((row, i) => row.cells[speedup.cellIndex].replaceWith(rung === "" ? measured[i] : speedupCell(row, rung)));
        sort();
    }

    // All of the row that is pointed at or has the focus, which the arrow keys move.
    const known = find("known");
    const texts = new Map(rows.map((row) => [row, row.title]));
    for (const row of rows) row.removeAttribute("title");
    const show = (row) => { known.hidden = false; known.textContent = texts.get(row); };
    body.addEventListener("pointerover", (event) => show(event.target.closest("tr")));
    body.addEventListener("focusin", (event) => { if (event.target.matches("tr")) show(event.target); });
    const leave = () => { known.hidden = true; };
    body.addEventListener("pointerleave", leave);
    body.addEventListener("focusout", leave);
    body.addEventListener("keydown", (event) => {
        if (event.key === "Escape") leave();
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (!step || !event.target.matches("tr")) return;
        event.preventDefault();
        const all = shown();
        const next = all[all.indexOf(event.target) + step];
        if (!next) return;
        reach(next);
        next.focus();
    });

    // The rows that are shown, as they are shown.
    function markdown() {
        const words = (cell) => [...cell.childNodes].map((part) => (part.nodeName === "SMALL" ? " " : "") + part.textContent).join("");
        const line = (cells) => `| ${cells.map((cell) => words(cell).replace(/\s+/g, " ").trim()
            .replace(/[\\|<>&*`[\]]/g, "\\$&")).join(" | ")} |`;
        const lines = shown().map((row) => line([...row.cells]));
        return [line(heads), `|${heads.map((head) => head.matches(".number") ? "---:|" : "---|").join("")}`, ...lines].join("\n") + "\n";
    }

    function copy() {
        const rest = document.createElement("textarea");
        rest.value = markdown();
        document.body.append(rest);
        rest.select();
        say(document.execCommand("copy") ? "copied" : "the browser did not let the page copy");
        rest.remove();
        find("copy").focus();
    }

    for (const choice of [find("words"), ...filters]) choice.addEventListener("input", filter);
    find("reset").addEventListener("click", reset);
    find("baseline").addEventListener("input", divide);
    find("copy").addEventListener("click", copy);
    window.addEventListener("hashchange", () => { // a link to a row that a filter hides
        const row = document.querySelector("tr:target");
        if (row?.hidden) reset();
        row?.scrollIntoView();
    });
    for (const folded of document.querySelectorAll("#charts details")) // hundreds at once would take seconds
        folded.addEventListener("toggle", () => { for (const image of folded.querySelectorAll("img")) image.src ||= image.dataset.src; });
    find("controls").hidden = false;
    filter();
})();
