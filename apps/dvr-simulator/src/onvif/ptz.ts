import { childAt, escapeXml, type XmlElement } from '@vigia/rtsp/xml'

/** Path of the PTZ service. */
export const PTZ_PATH = '/onvif/ptz_service'

/** Time to a preset or to the home position. */
const TRAVEL_MS = 700
const PRESETS = [
  ['1', 'Portão'],
  ['2', 'Pátio'],
] as const

/** Counters for the tests of clients. */
export interface PtzCounts {
  /** Accepted ContinuousMove calls, and those among them that ended by their own timeout. */
  readonly ptz_movimentos: number
  readonly ptz_vencidos: number
  readonly ptz_paradas: number
  readonly ptz_bases: number
  readonly ptz_presets: number
  /** Longest timeout of a move, in ms. */
  readonly ptz_prazo_max_ms: number
  /** Channels that move now. */
  readonly ptz_em_movimento: number
}

export interface Ptz {
  /** Returns the body of the answer to a call of the PTZ service; null: refused or unknown. */
  answer(call: XmlElement): string | null
  readonly counts: PtzCounts
  stop(): void
}

/** PTZ of all channels (ONVIF PTZ 2.0). The picture does not change. */
export function createPtz(): Ptz {
  const moving = new Map<string, NodeJS.Timeout>()
  const homes = new Set<string>()
  const counts = {
    ptz_movimentos: 0,
    ptz_vencidos: 0,
    ptz_paradas: 0,
    ptz_bases: 0,
    ptz_presets: 0,
    ptz_prazo_max_ms: 0,
  }

  function halt(token: string) {
    clearTimeout(moving.get(token))
    moving.delete(token)
  }

  function move(token: string, ms: number, onEnd = () => {}) {
    halt(token)
    moving.set(
      token,
      setTimeout(() => {
        moving.delete(token)
        onEnd()
      }, ms),
    )
  }

  function continuous(call: XmlElement, token: string): boolean {
    const [, seconds] = /^PT([0-9.]+)S$/.exec(childAt(call, 'Timeout')?.text.trim() ?? '') ?? []
    const velocity = childAt(call, 'Velocity')
    if (!seconds || !velocity || velocity.children.length === 0) return false
    counts.ptz_movimentos++
    counts.ptz_prazo_max_ms = Math.max(counts.ptz_prazo_max_ms, Number(seconds) * 1000)
    move(token, Number(seconds) * 1000, () => void counts.ptz_vencidos++)
    return true
  }

  function goTo(token: string, count: 'ptz_bases' | 'ptz_presets'): boolean {
    counts[count]++
    move(token, TRAVEL_MS)
    return true
  }

  function run(call: XmlElement, token: string): boolean {
    switch (call.name) {
      case 'ContinuousMove':
        return continuous(call, token)
      case 'Stop':
        counts.ptz_paradas++
        halt(token)
        return true
      case 'SetHomePosition':
        homes.add(token)
        return true
      case 'GotoHomePosition':
        return homes.has(token) && goTo(token, 'ptz_bases')
      case 'GotoPreset':
        return PRESETS.some(([preset]) => preset === childAt(call, 'PresetToken')?.text) && goTo(token, 'ptz_presets')
      default:
        return false
    }
  }

  return {
    answer(call) {
      const token = childAt(call, 'ProfileToken')?.text ?? ''
      if (call.name === 'GetPresets') return `<tptz:GetPresetsResponse>${presets}</tptz:GetPresetsResponse>`
      if (call.name === 'GetStatus')
        return `<tptz:GetStatusResponse>${status(moving.has(token))}</tptz:GetStatusResponse>`
      return run(call, token) ? `<tptz:${call.name}Response/>` : null
    },
    get counts() {
      return { ...counts, ptz_em_movimento: moving.size }
    },
    stop() {
      for (const token of [...moving.keys()]) halt(token)
    },
  }
}

const presets = PRESETS.map(
  ([token, nome]) => `<tptz:Preset token="${token}"><tt:Name>${escapeXml(nome)}</tt:Name></tptz:Preset>`,
).join('')

const status = (isMoving: boolean): string => {
  const state = isMoving ? 'MOVING' : 'IDLE'
  return (
    `<tptz:PTZStatus><tt:MoveStatus><tt:PanTilt>${state}</tt:PanTilt><tt:Zoom>IDLE</tt:Zoom></tt:MoveStatus>` +
    '</tptz:PTZStatus>'
  )
}
