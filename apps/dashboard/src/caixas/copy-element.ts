/**
 * Puts the text of `element` on the clipboard. A page that came over plain HTTP (a central in the local network) has no
 * clipboard to write to: there the text is selected and the older command is tried. False: it is only selected.
 */
export async function copyElement(element: HTMLElement): Promise<boolean> {
  const selection = getSelection()
  selection?.selectAllChildren(element)
  if ('clipboard' in navigator) {
    const written = await navigator.clipboard.writeText(element.textContent ?? '').then(
      () => true,
      () => false,
    )
    if (written) return true
  }
  return document.execCommand('copy')
}
