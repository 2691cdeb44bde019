// Makes the table of rows sortable and filterable. Without it all rows stand there, in the order of the ladder.
"use strict";
(() => {
    const table = document.getElementById("rows");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows];
    const words = document.getElementById("words");
    const shown = document.getElementById("shown");
    const chooser = (head) => document.getElementById("choose-" + head.dataset.filter);
    const filters = heads.filter((head) => head.dataset.filter);
    const byText = new Intl.Collator("en", {numeric: true});

    // What the words are looked for in: what a row is, and what is noted on it; no figures.
    const searched = new Map(rows.map((row) => {
        const texts = [...row.cells].filter((cell) => !cell.classList.contains("number")).map((cell) => cell.textContent);
        return [row, [...texts, row.dataset.status].join(" ").toLowerCase()];
    }));

    function filter() {
        const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
        let count = 0;
        for (const row of rows) {
            const fits = wanted.every((word) => searched.get(row).includes(word)) && filters.every((head) => {
                const choice = chooser(head).value;
                return choice === "" || row.cells[head.cellIndex].textContent === choice;
            });
            row.hidden = !fits;
            count += fits;
        }
        shown.textContent = count + " of " + rows.length + (rows.length === 1 ? " row" : " rows");
    }

    // Less than 0, 0 or more than 0 as Array.sort wants it; what is empty comes last in both directions.
    function compare(a, b, head, direction) {
        if (head.dataset.sort !== "number") {
            const [textA, textB] = [a, b].map((row) => row.cells[head.cellIndex].textContent.trim());
            if (textA === "" || textB === "") return (textA === "") - (textB === "");
            return direction * byText.compare(textA, textB);
        }
        const [valueA, valueB] = [a, b].map((row) => row.cells[head.cellIndex].dataset.value);
        if (valueA === "" || valueB === "") return (valueA === "") - (valueB === "");
        return direction * (Number(valueA) - Number(valueB));
    }

    function sortBy(head) {
        const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        body.append(...[...rows].sort((a, b) => compare(a, b, head, direction)));
    }

    function reset() {
        words.value = "";
        for (const head of filters) chooser(head).value = "";
        filter();
    }

    const buttons = heads.map((head) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = head.textContent;
        button.addEventListener("click", () => sortBy(head));
        head.replaceChildren(button);
        return button;
    });
    for (const head of filters) {
        const choices = new Set(rows.map((row) => row.cells[head.cellIndex].textContent));
        chooser(head).append(...[...choices].map((choice) => new Option(choice, choice)));
        chooser(head).addEventListener("change", filter);
    }
    words.addEventListener("input", filter);
    document.getElementById("reset").addEventListener("click", reset);
    document.getElementById("controls").hidden = false;
    filter();

    // A link to a row that a filter hides.
    window.addEventListener("hashchange", () => {
        const row = document.getElementById(location.hash.slice(1));
        if (row && row.hidden) {
            reset();
            row.scrollIntoView();
        }
    });

    // Paper cannot be unfolded, and browsers leave buttons out where they print the headers again on each sheet.
    let unfolded = [];
    window.addEventListener("beforeprint", () => {
        unfolded = [...document.querySelectorAll("details:not([open])")];
        for (const details of unfolded) details.open = true;
        for (const button of buttons) button.replaceWith(button.textContent);
    });
    window.addEventListener("afterprint", () => {
        for (const details of unfolded) details.open = false;
        heads.forEach((head, i) => head.replaceChildren(buttons[i]));
    });
})();
