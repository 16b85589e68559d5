// The rows of pages with a list: page.js loads this module on the first page of a part and on the
// page of any view model. Each row is a copy of the <template> of its page.

const $ = selector => document.querySelector(selector);
const list = $("[data-list]"), table = $("[data-all]");
const copy = () => $("main > template").content.firstElementChild.cloneNode(true);

// Shows an event in the list, or adds its rows to the table. page.js lends the rest.
export function showRows(event, page) {
  if (list) showList(event, page);
  if (table && event.from === page.address) addRows(event, page);
}

function showList({ name, payload }, { write }) {
  const [event, field] = list.dataset.list.split(".");
  if (name !== event) return;
  payload[field].forEach((row, index) => {
    const item = list.children[index] ?? list.appendChild(copy());
    item.dataset.state = row.status;
    item.firstElementChild.href = /^\w/.test(row.address) ? "./" + row.address : "./";
    for (const part of item.querySelectorAll("[data-field]")) write(part, row[part.dataset.field]);
  });
  while (list.children.length > payload[field].length) list.lastElementChild.remove();
}

function addRows({ name, payload }, { address, places, addPlace }) {
  for (const field in payload) {
    if (places.get(address + " " + name)?.some(place => place[1] === field)) continue;
    const row = copy(), [event, title, value] = row.children;
    [event.textContent, title.textContent] = [name, field];
    value.firstElementChild.dataset.value = name + "." + field;
    table.append(row);
    addPlace(value.firstElementChild);
  }
}
