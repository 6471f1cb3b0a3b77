/* Copies examples, filters operations, and marks the current section in the contents. The page works without it. */

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const { textContent } = button.closest('figure').querySelector('code')
    const tell = (words) => {
      button.textContent = words
      setTimeout(() => (button.textContent = 'Copy'), 1_500)
    }
    navigator.clipboard.writeText(textContent).then(
      () => tell('Copied'),
      () => tell('Not allowed'),
    )
  })
}

const contents = document.querySelector('.contents')
const isWide = matchMedia('(min-width: 60rem)')
const fit = () => (contents.open = isWide.matches)
isWide.addEventListener('change', fit)
fit()
contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && !isWide.matches) contents.open = false
})

const filter = document.querySelector('.filter')
const search = filter.querySelector('input')
filter.hidden = false
search.addEventListener('input', () => {
  const words = search.value.trim().toLowerCase().split(/\s+/)
  for (const group of contents.querySelectorAll('.nav-group')) {
    const name = group.querySelector('p').textContent.toLowerCase()
    let isShown = false
    for (const item of group.querySelectorAll('li')) {
      const text = `${name} ${item.textContent.toLowerCase()}`
      item.hidden = !words.every((word) => text.includes(word))
      isShown ||= !item.hidden
    }
    group.hidden = !isShown
  }
})
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') contents.querySelector('.nav-group:not([hidden]) li:not([hidden]) a')?.click()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, [contenteditable]')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  contents.open = true
  search.focus()
})

const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]))
let current
const mark = (link) => {
  if (link === undefined || link === current) return
  current?.removeAttribute('aria-current')
  current = link
  current.setAttribute('aria-current', 'true')
  if (isWide.matches) current.scrollIntoView({ block: 'nearest' })
}
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) mark(links.get(target.id))
  },
  { rootMargin: '-10% 0px -75% 0px' },
)
for (const section of document.querySelectorAll('section[id]')) seen.observe(section)
