import type { CanalSondado, FalhaPedido } from '@vigia/contracts/pedidos'
import { type Described, isBusyStatus } from './describe.ts'
import type { LoginGate } from './login-gate.ts'

type Finding =
  | { readonly kind: 'video'; readonly codec: string | null; readonly resolucao: string | null }
  | { readonly kind: 'vazia' }
  /** Turned away or hung up on: says nothing about the channel. `status` null: without a word. */
  | { readonly kind: 'ocupada'; readonly status: number | null }
  | { readonly kind: 'muda' }

/** What a recorder said about its channels, and what is to be concluded from all of it. */
export interface ChannelTally {
  /** The kind of what was found; null: nothing about the channel. */
  note(canal: number, described: Described): Finding['kind'] | null
  /** Whether the channel is to be asked in this round (from 0). */
  isOpen(canal: number, round: number): boolean
  /** The recorder has turned somebody away. */
  readonly isBusy: boolean
  /** It is known that asking on is of no use. */
  readonly isSettled: boolean
  /** Of the whole recorder; null: the channels have results. */
  readonly falha: FalhaPedido | null
  result(canal: number): CanalSondado
}

export interface TallyOptions {
  /** Channels to be asked; every other one is empty. */
  readonly asked: readonly number[]
  readonly gate: LoginGate
  /** Whether there are any to give to a recorder that asks. */
  readonly hasCredentials: boolean
}

export function createTally({ asked, gate, hasCredentials }: TallyOptions): ChannelTally {
  const findings = new Map<number, Finding>()
  let settled: 'senha_recusada' | 'inalcancavel' | null = null
  let isConnected = false
  let isBusy = false
  /** It spoke RTSP when it did so. */
  let hasTurnedAway = false
  const answered = () => [...findings.values()].some(({ kind }) => kind === 'video' || kind === 'vazia')

  /** Null: nothing about this channel. */
  function judge(described: Described): Finding | null {
    switch (described.kind) {
      case 'answer': {
        const { status, video } = described
        if (isBusyStatus(status)) return { kind: 'ocupada', status }
        // Makers say it in many ways; whatever is not a video is none.
        if (!video) return { kind: 'vazia' }
        return { kind: 'video', codec: plainName(video.codec), resolucao: video.resolucao }
      }
      case 'unauthorized':
        // After a success it is no verdict on the password: Dahua says so when it is out of connections.
        if (gate.verdict === 'right' || (hasCredentials && !described.tried)) return { kind: 'ocupada', status: 401 }
        settled = 'senha_recusada'
        return null
      case 'withheld':
        return gate.verdict === 'wrong' ? null : { kind: 'ocupada', status: 401 }
      case 'unreachable':
        if (isConnected) return { kind: 'ocupada', status: null }
        settled = 'inalcancavel'
        return null
      case 'cut':
        return { kind: 'ocupada', status: null }
      case 'aborted':
        return null
      default:
        return { kind: 'muda' }
    }
  }

  return {
    note(canal, described) {
      const finding = judge(described)
      isConnected ||= described.kind !== 'unreachable' && described.kind !== 'aborted'
      if (finding?.kind === 'ocupada') {
        isBusy = true
        hasTurnedAway ||= finding.status !== null || (described.kind === 'cut' && described.isRtsp)
      }
      if (finding) findings.set(canal, finding)
      return finding?.kind ?? null
    },
    isOpen(canal, round) {
      if (settled || round === 0) return !settled
      return findings.get(canal)?.kind === 'ocupada'
    },
    get isBusy() {
      return isBusy
    },
    get isSettled() {
      return settled !== null
    },
    get falha() {
      if (settled) return settled
      if (answered() || asked.length === 0) return null
      if (hasTurnedAway) return 'ocupado'
      return isConnected ? 'inalcancavel' : 'prazo_esgotado'
    },
    result(canal) {
      const finding = findings.get(canal)
      const none = { canal, codec: null, resolucao: null }
      if (finding?.kind === 'video')
        return { canal, estado: 'video', codec: finding.codec, resolucao: finding.resolucao }
      // A 503 that lasts while others answer is how some say "empty".
      const isEmpty = finding?.kind === 'vazia' || (finding?.kind === 'ocupada' && finding.status === 503)
      if (!asked.includes(canal)) return { ...none, estado: 'vazia' }
      return { ...none, estado: isEmpty ? 'vazia' : 'sem_resposta' }
    },
  }
}

/** The name comes from the device; what cannot be the name of a codec is not passed on. */
const plainName = (codec: string): string | null => (/^[a-z0-9][a-z0-9.+-]{0,31}$/i.test(codec) ? codec : null)
