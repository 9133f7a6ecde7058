const form = document.getElementById('filters')
const rows = [...document.querySelectorAll('.row')]
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]))

const filter = () => {
  const data = new FormData(form)
  const levels = data.getAll('level')
  const words = data.get('words').toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = (name, row) =>
    data.get(name) === '' || namesOf(name, row).includes(data.get(name))
  const namesOf = (name, row) =>
    name === 'operation' ? JSON.parse(row.dataset.operation) : [row.dataset[name]]
  let count = 0
  for (const row of rows) {
    const text = texts.get(row)
    row.hidden = !(
      levels.includes(row.dataset.level) &&
      isWanted('rule', row) &&
      isWanted('operation', row) &&
      words.every((word) => text.includes(word))
    )
    if (!row.hidden) count += 1
  }
  document.getElementById('shown').textContent = `${count} of ${rows.length} shown`
  document.getElementById('none').hidden = count > 0
}

if (form) {
  form.hidden = false
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  const all = document.getElementById('all')
  all.addEventListener('click', () => {
    const opens = all.textContent === 'Open all'
    for (const row of rows) if (!row.hidden) row.open = opens
    all.textContent = opens ? 'Close all' : 'Open all'
  })
  filter()
}

const copied = async (pre) => {
  try {
    await navigator.clipboard.writeText(pre.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(pre)
    return document.execCommand('copy')
  }
}

for (const button of document.querySelectorAll('.copy')) {
  button.addEventListener('click', async () => {
    button.textContent = (await copied(button.previousElementSibling)) ? 'Copied' : 'Press Ctrl-C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
}
