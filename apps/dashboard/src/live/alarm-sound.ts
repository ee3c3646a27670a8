import type { Gravidade } from '@vigia/contracts/ias'
import type { PageStorage } from '../base/storage.ts'

/** `bloqueado`: switched on, but the browser allows no sound before the first interaction with the page. */
type SoundState = 'desligado' | 'ligado' | 'bloqueado'
/** `contato`: the page has lost the connection to the cloud. */
type Sound = Gravidade | 'contato'

export interface AlarmSound {
  readonly state: () => SoundState
  subscribe(listener: () => void): () => void
  /** Each login has its own setting in this browser. A quiosque begins with sound. */
  use(login: string, isQuiosque: boolean): void
  /** Must be called from a click, so that the browser allows sound. */
  toggle(): void
  /** Repeats this sound until the next call; null ends it. */
  ring(sound: Sound | null): void
  /** Plays a sound once, if the alarm is switched on. */
  once(sound: Sound): void
  /** Plays a sound once, also while the alarm is switched off. Must be called from a click. */
  test(sound: Sound): void
}

interface Tone {
  readonly hz: number
  readonly atS: number
  readonly lengthS: number
}

/** Each severity has its own number of tones and interval, so that it is known without the screen. */
const patterns: Readonly<Record<Sound, { readonly everyMs: number; readonly tones: readonly Tone[] }>> = {
  baixa: { everyMs: 20_000, tones: tonesOf([520], 0.3) },
  media: { everyMs: 10_000, tones: tonesOf([660, 520], 0.25) },
  alta: { everyMs: 5_000, tones: tonesOf([660, 880, 660], 0.2) },
  critica: { everyMs: 2_000, tones: tonesOf([988, 740, 988, 740, 988, 740], 0.14) },
  contato: { everyMs: 6_000, tones: tonesOf([330, 247], 0.7) },
}

function tonesOf(hertz: readonly number[], lengthS: number): Tone[] {
  return hertz.map((hz, index) => ({ hz, atS: index * (lengthS + 0.02), lengthS }))
}

/** The sounds of the page, synthesized in the browser. */
export function createAlarmSound(storage: PageStorage): AlarmSound {
  let key = ''
  let wanted = false
  let context: AudioContext | null = null
  let ringing: Sound | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
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
    wake()
  }
  function wake(): AudioContext {
    if (!context) {
      context = new AudioContext()
      context.addEventListener('statechange', () => {
        changed()
        repeat()
      })
    }
    // Rejects only for a closed context, and the context is never closed.
    if (context.state !== 'running') void context.resume()
    return context
  }

  function repeat(): void {
    clearTimeout(timer)
    if (ringing === null || state() !== 'ligado' || !context) return
    play(context, ringing)
    timer = setTimeout(repeat, patterns[ringing].everyMs)
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
    use(login, isQuiosque) {
      if (key === `vigia.som.${login}`) return
      key = `vigia.som.${login}`
      wanted = (storage.getItem(key) ?? (isQuiosque ? 'sim' : 'nao')) === 'sim'
      // A browser in kiosk mode may allow sound without an interaction.
      unlock()
      changed()
      repeat()
    },
    toggle() {
      // In the state `bloqueado` the switch unblocks the sound instead of switching it off.
      if (state() === 'bloqueado') return unlock()
      wanted = !wanted
      storage.setItem(key, wanted ? 'sim' : 'nao')
      unlock()
      changed()
      repeat()
    },
    ring(sound) {
      if (sound === ringing) return
      ringing = sound
      repeat()
    },
    once(sound) {
      if (context && state() === 'ligado') play(context, sound)
    },
    test(sound) {
      play(wake(), sound)
    },
  }
}

/** The gain ramps avoid a click at the start and the end of a tone. */
function play(context: AudioContext, sound: Sound): void {
  for (const { hz, atS, lengthS } of patterns[sound].tones) {
    const start = context.currentTime + atS
    const gain = context.createGain()
    gain.gain.setValueAtTime(0.0001, start)
    gain.gain.exponentialRampToValueAtTime(0.3, start + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.0001, start + lengthS)
    const tone = context.createOscillator()
    tone.frequency.value = hz
    tone.connect(gain).connect(context.destination)
    tone.start(start)
    tone.stop(start + lengthS + 0.02)
  }
}
