// @ts-check
// What the pages of the reference can do beyond what they say: find, copy, and show the examples of one language at a time.
// Without it the pages are whole: search is a link to a list, and all examples stand below each other.

const root = new URL('../', import.meta.url)

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Name]}
 */
function element(name, attributes = {}, text = '') {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

/** When all was on one page its parts had the ids that lead to them now. */
function goWhereItMoved() {
  const moved = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const link = moved?.querySelector('a')
  if (link && location.pathname === new URL('docs', root).pathname && link.pathname !== location.pathname) {
    location.replace(link.href)
  }
}

function addCopying() {
  if (!navigator.clipboard) return
  const said = element('p', { role: 'status', class: 'unseen' })
  document.body.append(said)
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      const code = figure.querySelector('code')?.textContent ?? ''
      const isDone = await navigator.clipboard.writeText(code).then(
        () => true,
        () => false,
      )
      button.textContent = isDone ? 'Copied' : 'Not copied'
      said.textContent = isDone ? 'Copied.' : 'The browser did not let it be copied.'
      setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, 2000)
    })
    figure.querySelector('figcaption')?.append(button)
  }
}

const kept = 'language of examples'

/** @param {string} language */
function show(language) {
  for (const group of document.querySelectorAll('.examples')) {
    for (const button of group.querySelectorAll('.languages button')) {
      button.setAttribute('aria-pressed', String(button.getAttribute('value') === language))
    }
    for (const figure of group.querySelectorAll('figure')) figure.hidden = figure.dataset.language !== language
  }
}

function addLanguages() {
  const groups = document.querySelectorAll('.examples')
  if (groups.length === 0) return
  for (const group of groups) {
    const bar = element('div', { class: 'languages', role: 'group', 'aria-label': 'Language of the examples' })
    for (const figure of group.querySelectorAll('figure')) {
      const { language = '' } = figure.dataset
      const button = element(
        'button',
        { type: 'button', value: language },
        figure.querySelector('figcaption')?.firstChild?.textContent ?? language,
      )
      button.addEventListener('click', () => {
        const { top } = bar.getBoundingClientRect()
        show(language)
        // What was clicked stays where it was, although examples above it are longer or shorter now.
        scrollBy(0, bar.getBoundingClientRect().top - top)
        try {
          localStorage.setItem(kept, language)
        } catch {}
      })
      bar.append(button)
    }
    group.prepend(bar)
  }
  let language = 'sh'
  try {
    language = localStorage.getItem(kept) ?? language
  } catch {}
  show(['sh', 'ts', 'python'].includes(language) ? language : 'sh')
  // Places on the page have moved.
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

/** @typedef {[title: string, kind: string, address: string]} Entry */

/**
 * The entries that have every word, those first whose title begins with what was typed.
 * @param {readonly Entry[]} entries
 * @param {string} typed
 */
function found(entries, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const whole = words.join(' ')
  /** @param {Entry} entry */
  const rank = ([title, kind]) => {
    const name = title.toLowerCase()
    if (name === whole) return 0
    if (name.startsWith(whole)) return 1
    if (words.every((word) => name.includes(word))) return 2
    return words.every((word) => `${name} ${kind.toLowerCase()}`.includes(word)) ? 3 : 9
  }
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter(({ rank }) => rank < 9)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, 12)
    .map(({ entry }) => entry)
}

function addSearch() {
  const place = document.querySelector('.search')
  if (place === null) return
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'What was found' })
  list.hidden = true
  const field = element('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search',
    'aria-label': 'Search the documents',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  place.replaceChildren(field, list)
  /** @type {Promise<readonly Entry[]> | undefined} */
  let index
  const load = () => {
    index ??= import(new URL('docs/search-index.js', root).href).then((module) => module.default)
    return index
  }
  let chosen = -1
  /** @param {number} next */
  const choose = (next) => {
    const options = [...list.children]
    chosen = options.length === 0 ? -1 : (next + options.length) % options.length
    for (const [position, option] of options.entries()) {
      option.setAttribute('aria-selected', String(position === chosen))
    }
    const option = options[chosen]
    if (option) {
      field.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    } else field.removeAttribute('aria-activedescendant')
  }
  const close = () => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    choose(-1)
  }
  /** @param {Element | null | undefined} option */
  const go = (option) => {
    if (!(option instanceof HTMLElement) || option.dataset.address === undefined) return
    close()
    location.assign(new URL(option.dataset.address.slice(1), root))
  }
  const update = async () => {
    const typed = field.value
    const entries = found(await load(), typed)
    if (typed !== field.value) return
    list.replaceChildren(
      ...entries.map(([title, kind, address], position) => {
        const option = element('li', { role: 'option', id: `found-${position}`, 'aria-selected': 'false' })
        option.dataset.address = address
        option.append(element('strong', {}, title), element('span', { class: 'quiet' }, kind))
        return option
      }),
    )
    if (typed.trim() !== '' && entries.length === 0) {
      const option = element('li', { role: 'option', id: 'found-0', 'aria-selected': 'false', 'aria-disabled': 'true' })
      option.append('Nothing has all of these words.')
      list.append(option)
    }
    list.hidden = list.children.length === 0
    field.setAttribute('aria-expanded', String(!list.hidden))
    choose(entries.length > 0 ? 0 : -1)
  }
  field.addEventListener('focus', () => void load())
  field.addEventListener('input', () => void update())
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') go(list.children[chosen])
    else if (event.key === 'Escape') close()
  })
  place.addEventListener('focusout', (event) => {
    const next = /** @type {FocusEvent} */ (event).relatedTarget
    if (!(next instanceof Node && place.contains(next))) close()
  })
  // The field keeps the focus, so that the list is still there when the click ends.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element) go(event.target.closest('[role=option]'))
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

goWhereItMoved()
addLanguages()
addCopying()
addSearch()
