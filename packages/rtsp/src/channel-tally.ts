import type { CanalSondado } from '@vigia/contracts/canais-sondados'
import type { Causa } from '@vigia/contracts/causa'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { causeOf } from './cause.ts'
import type { NoSlot } from './contact.ts'
import { type Described, isBusyStatus } from './describe.ts'
import type { LoginGate } from './login-gate.ts'

type Finding =
  | { readonly kind: 'video'; readonly codec: string | null; readonly resolucao: string | null }
  /** `elsewhere`: the recorder names another device. */
  | { readonly kind: 'vazia'; readonly elsewhere?: string | undefined }
  /**
   * The recorder refused or closed the connection: no information about the channel. `status` null: closed without a
   * reply.
   */
  | { readonly kind: 'ocupada'; readonly status: number | null }
  | { readonly kind: 'muda' }

/** Collects the answers of a recorder for its channels and derives the results. */
export interface ChannelTally {
  /** Returns the kind of the finding; null: no information about the channel. */
  note(canal: number, described: Described | NoSlot): Finding['kind'] | null
  /** Whether this round (from 0) must query the channel. */
  isOpen(canal: number, round: number): boolean
  /** The recorder has refused at least one connection. */
  readonly isBusy: boolean
  /** Further requests cannot change the result. */
  readonly isSettled: boolean
  /** Failure of the whole recorder; null: the channels have results. */
  readonly falha: FalhaPedido | null
  /** With `inalcancavel`: the first answer that was none. */
  readonly causa: Causa | null
  result(canal: number): CanalSondado
}

export interface TallyOptions {
  /** Channels to query; all others count as empty. */
  readonly asked: readonly number[]
  readonly gate: LoginGate
  /** Whether there are credentials for a recorder that requires them. */
  readonly hasCredentials: boolean
}

export function createTally({ asked, gate, hasCredentials }: TallyOptions): ChannelTally {
  const findings = new Map<number, Finding>()
  let settled: 'senha_recusada' | 'inalcancavel' | null = null
  let causa: Causa | null = null
  let isConnected = false
  let isBusy = false
  /** A refusal arrived as an RTSP reply, so the recorder is busy and not unreachable. */
  let hasTurnedAway = false
  const answered = () => [...findings.values()].some(({ kind }) => kind === 'video' || kind === 'vazia')

  /** Null: no information about this channel. */
  function judge(described: Described | NoSlot): Finding | null {
    switch (described.kind) {
      case 'answer': {
        const { status, video, elsewhere } = described
        if (isBusyStatus(status)) return { kind: 'ocupada', status }
        // Makers report an empty channel in many ways: any answer without a video counts.
        if (!video) return { kind: 'vazia', elsewhere }
        return { kind: 'video', codec: plainName(video.codec), resolucao: video.resolucao }
      }
      case 'unauthorized':
        // After a success a 401 does not mean a wrong password: Dahua sends it when it has no free connections.
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
      case 'full':
        hasTurnedAway = true
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
      causa ??= causeOf(described)
      isConnected ||= !['unreachable', 'aborted', 'full'].includes(described.kind)
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
    get causa() {
      return causa
    },
    result(canal) {
      const finding = findings.get(canal)
      const none = { canal, codec: null, resolucao: null }
      if (finding?.kind === 'video')
        return { canal, estado: 'video', codec: finding.codec, resolucao: finding.resolucao }
      // Some recorders report an empty channel by a lasting 503 while other channels answer.
      const isEmpty = finding?.kind === 'vazia' || (finding?.kind === 'ocupada' && finding.status === 503)
      if (!asked.includes(canal)) return { ...none, estado: 'vazia' }
      if (finding?.kind === 'vazia' && finding.elsewhere !== undefined)
        return { ...none, estado: 'vazia', outro_endereco: finding.elsewhere }
      return { ...none, estado: isEmpty ? 'vazia' : 'sem_resposta' }
    },
  }
}

/** The name comes from the device; a text that cannot be a codec name is dropped. */
const plainName = (codec: string): string | null => (/^[a-z0-9][a-z0-9.+-]{0,31}$/i.test(codec) ? codec : null)
