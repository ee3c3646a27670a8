import { useEffect, useRef } from 'react'
import type { PageStorage } from '../base/storage.ts'

const STORAGE_KEY = 'vigia.atalhos'

/** Users of speech input can switch one-key shortcuts off (WCAG 2.1.4). */
export const shortcutsOn = (settings: PageStorage): boolean => settings.getItem(STORAGE_KEY) !== 'nao'
export const setShortcuts = (settings: PageStorage, on: boolean): void =>
  settings.setItem(STORAGE_KEY, on ? 'sim' : 'nao')

/** Whether the focused control uses the key itself. */
function ownsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && /^(radio|checkbox)$/.test(target.type)) return key.startsWith('Arrow')
  if (/^(A|BUTTON)$/.test(target.tagName)) return key === 'Enter'
  return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA|VIDEO)$/.test(target.tagName)
}

/** Actions by `KeyboardEvent.key` in lower case. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/** Listens to one-key shortcuts of the page. A held key counts once. */
export function useShortcuts(settings: PageStorage, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      const key = event.key.toLowerCase()
      const act = Object.hasOwn(latest.current, key) ? latest.current[key] : undefined
      if (!act || ownsKey(event.target, event.key) || !shortcutsOn(settings)) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [settings])
}
