/**
 * Runs in the browser. Returns all of a page on which a rule of axe depends: screen, colours, path, elements and
 * attributes. For a text it returns that an element has one. Numbers are equal to one another. A name counts by its
 * presence. One of equal siblings, such as the rows of a list, counts.
 */
export const SHAPE = `(() => {
  const root = document.documentElement
  const NAMES = new Set(['alt', 'aria-label', 'aria-valuetext', 'placeholder', 'title', 'value'])
  const plain = (text) => text.replace(/[0-9]+/g, '0')
  const attribute = ({ name, value }) => name + '=' + (NAMES.has(name) ? value.trim() !== '' : plain(value))
  const shape = (element) => {
    const isOpaque = ['script', 'style', 'link', 'svg'].includes(element.localName)
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const head = [element.localName, ...[...element.attributes].map(attribute).sort(), own].join(' ')
    const parts = isOpaque ? [] : [...element.children].map(shape)
    return '<' + head + parts.filter((part, at) => part !== parts[at - 1]).join('') + '>'
  }
  const path = plain(location.pathname)
  return [innerWidth, innerHeight, path, matchMedia('(prefers-color-scheme: dark)').matches, shape(root)].join(' ')
})()`
