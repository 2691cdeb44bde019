/* The search: sections that have all words, those with a word in their heading and those of the documents first. ?q=WORDS asks it, too. */
'use strict';

const root = document.currentScript.dataset.root;
const box = document.querySelector('[type=search]');
const found = document.getElementById('found');
let loading = null;

function load() {
    loading ??= new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = root + 'search/search_index.js';
        script.onload = resolve;
        document.head.append(script);
    });
    return loading;
}

function weigh(section, words) {
    const title = section.title.toLowerCase();
    const text = section.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word)))
        return 0;
    const named = words.filter((word) => title.includes(word)).length;
    const said = words.reduce((sum, word) => sum + Math.min(text.split(word).length - 1, 4), 0);
    const isDocument = /^(docs\/)?[\w-]+\.html/.test(section.location);
    return 10 * named + said + (isDocument ? 8 : 0);
}

function line(section, words) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root + section.location;
    link.textContent = [...new Set([section.page, section.title])].join(': ');
    const context = document.createElement('small');
    const at = section.text.toLowerCase().indexOf(words[0]);
    context.textContent = section.text.slice(Math.max(0, at - 40), Math.max(0, at - 40) + 200);
    item.append(link, context);
    return item;
}

async function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    if (found.hidden)
        return;
    await load();
    const hits = sections.map((section) => [weigh(section, words), section])
        .filter(([weight]) => weight > 0).sort(([a], [b]) => b - a).slice(0, 15);
    found.replaceChildren(...hits.map(([, section]) => line(section, words)));
    if (hits.length === 0)
        found.textContent = 'No section has all these words.';
}

box.addEventListener('input', search);
box.value = new URLSearchParams(location.search).get('q') ?? '';
search();
