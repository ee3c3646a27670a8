/**
 * Copies the text of `element` to the clipboard. A page over plain HTTP (a cloud in the local network) has no clipboard
 * API. There the function selects the text and tries the older copy command. Returns false if the text is only
 * selected.
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
