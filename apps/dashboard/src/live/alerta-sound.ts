import type { PageStorage } from '../storage.ts'

const STORAGE_KEY = 'vigia.som'
/** Shortest time between two sounds: a burst of alerts plays one sound. */
const MIN_GAP_MS = 3000

/** `bloqueado`: switched on, but the browser allows no sound before the first interaction with the page. */
type SoundState = 'desligado' | 'ligado' | 'bloqueado'

export interface AlertaSound {
  readonly state: () => SoundState
  subscribe(listener: () => void): () => void
  /** Must be called from a click, so that the browser allows sound. */
  toggle(): void
  play(): void
}

/** The two-tone sound of a confirmed alert, synthesized in the browser. The setting is stored. */
export function createAlertaSound(storage: PageStorage): AlertaSound {
  let wanted = storage.getItem(STORAGE_KEY) === 'sim'
  let context: AudioContext | null = null
  let playedAt = Number.NEGATIVE_INFINITY
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }

  const state = (): SoundState => {
    if (!wanted) return 'desligado'
    return context?.state === 'running' ? 'ligado' : 'bloqueado'
  }

  const unlock = () => {
    if (!wanted) return
    if (!context) {
      context = new AudioContext()
      context.addEventListener('statechange', changed)
    }
    // Rejects only for a closed context, and the context is never closed.
    if (context.state !== 'running') void context.resume().then(changed)
  }

  return {
    state,
    subscribe(listener) {
      // After a reload the first interaction with the page unblocks a sound that was switched on before.
      if (listeners.size === 0) for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, unlock)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, unlock)
      }
    },
    toggle() {
      // In the state `bloqueado` the switch unblocks the sound instead of switching it off.
      if (state() === 'bloqueado') return unlock()
      wanted = !wanted
      storage.setItem(STORAGE_KEY, wanted ? 'sim' : 'nao')
      unlock()
      changed()
      if (wanted && context) chime(context)
    },
    play() {
      const now = performance.now()
      if (state() !== 'ligado' || !context || now - playedAt < MIN_GAP_MS) return
      playedAt = now
      chime(context)
    },
  }
}

/** Two short falling tones; the gain ramps avoid a click at their start and end. */
function chime(context: AudioContext): void {
  for (const [index, frequency] of [880, 660].entries()) {
    const start = context.currentTime + index * 0.22
    const gain = context.createGain()
    gain.gain.setValueAtTime(0.0001, start)
    gain.gain.exponentialRampToValueAtTime(0.3, start + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.4)
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(gain).connect(context.destination)
    tone.start(start)
    tone.stop(start + 0.42)
  }
}
