import { freePort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'
import { waitFor } from './wait.ts'

const USUARIO = 'vigia'
/** A password with all characters that break naive URL handling. */
const SENHA = 's3nh@:/#&% ç'

/** Fault of a channel: a name, optionally with details (`apps/dvr-simulator/README.md`). */
export type RecorderFault = string | { readonly defeito: string; readonly [detail: string]: unknown }

/** Counters of the recorder since its start. */
export interface RecorderCounts {
  /** Current and largest number of connections. */
  readonly conexoes: number
  readonly conexoes_max: number
  readonly logins_recusados: number
  /** Refused logins, also of right passwords. */
  readonly recusas: number
  /** Accepted DESCRIBE requests. */
  readonly describes: number
  /** Audio tracks that clients have set up. */
  readonly audios: number
  /** Keyframes that clients of each channel got without a request. */
  readonly quadros_chave: readonly { readonly principal: number; readonly sub: number }[]
  /** Port of its ONVIF service, with `--onvif`. */
  readonly onvif_conexoes_max?: number
  readonly onvif_logins_recusados?: number
  /** Profiles of the SetSynchronizationPoint calls that had a right login, in order. */
  readonly sincronias?: readonly string[]
  /** With `--ptz`: accepted moves, those that ended by their own timeout, stops, and returns to the home position. */
  readonly ptz_movimentos?: number
  readonly ptz_vencidos?: number
  readonly ptz_paradas?: number
  readonly ptz_bases?: number
  readonly ptz_presets?: number
  readonly ptz_prazo_max_ms?: number
  readonly ptz_em_movimento?: number
  /** With a list of recordings. */
  readonly lista_logins_recusados?: number
}

export interface RecorderOptions {
  readonly porta?: number
  readonly senha?: string
  readonly canais?: readonly string[]
  readonly defeitos?: Record<number, RecorderFault>
  /** Its archive, `VIGIA_SIM_GRAVACAO` of `apps/dvr-simulator/README.md`; absent: none. */
  readonly gravacao?: object
  /** Further arguments, e.g. `['--bloqueio-apos', '7']`. */
  readonly argumentos?: readonly string[]
}

/** The recorder simulator as a real process, which restarts on the same port. */
export interface RecorderProcess {
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  readonly program: Program
  /** Returns the URL of a channel in the Intelbras/Dahua form with a percent-encoded password. */
  url(canal: number, stream?: 'principal' | 'sub', senha?: string): string
  kill(): Promise<void>
  /** Restarts it, optionally with other faults (`canal` → fault). */
  start(defeitos?: Record<number, RecorderFault>): Promise<void>
  counts(): Promise<RecorderCounts>
  /**
   * Position of a channel's newest client in the loop when its first picture was sent, and the time of that, epoch ms.
   * Null: no client yet.
   */
  playStart(canal: number, stream: 'principal' | 'sub'): { readonly time: number; readonly posicao_ms: number } | null
  /**
   * Stops the scene of a channel at the keyframe at `segundo` of its loop. Resolves with the time at which a client got
   * that picture, epoch ms.
   */
  pause(canal: number, segundo: number): Promise<number>
  /** Continues from that picture. */
  resume(canal: number): void
  /** All clients of that stream get a keyframe now, as if it were the next one of its group. */
  sendKeyframe(canal: number, stream: 'principal' | 'sub'): void
  close(): Promise<void>
}

export async function startRecorder(options: RecorderOptions = {}): Promise<RecorderProcess> {
  const porta = options.porta ?? (await freePort())
  const own = options.senha ?? SENHA
  const launch = (defeitos: Record<number, RecorderFault>) =>
    startProgram({
      entry: 'apps/dvr-simulator/src/main.ts',
      args: [
        '--porta',
        String(porta),
        ...(options.canais ?? []).flatMap((canal) => ['--canal', canal]),
        ...(options.argumentos ?? []),
      ],
      env: {
        VIGIA_SIM_USUARIO: USUARIO,
        VIGIA_SIM_SENHA: own,
        VIGIA_SIM_DEFEITOS: JSON.stringify(defeitos),
        ...(options.gravacao && { VIGIA_SIM_GRAVACAO: JSON.stringify(options.gravacao) }),
      },
    })
  let program = await launch(options.defeitos ?? {})
  return {
    porta,
    usuario: USUARIO,
    senha: own,
    get program() {
      return program
    },
    url(canal, stream = 'principal', senha = own) {
      const credentials = `${encodeURIComponent(USUARIO)}:${encodeURIComponent(senha)}`
      const subtype = stream === 'principal' ? 0 : 1
      return `rtsp://${credentials}@127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=${subtype}`
    },
    kill: () => program.kill(),
    async start(defeitos = {}) {
      program = await launch(defeitos)
    },
    async counts() {
      const before = linesOf(program, 'contagem').length
      process.kill(program.pid, 'SIGUSR2')
      const line = await waitFor('the counts', () => linesOf(program, 'contagem')[before], { everyMs: 10 })
      return JSON.parse(line) as RecorderCounts
    },
    playStart(canal, stream) {
      const starts = linesOf(program, 'toca').map((line) => JSON.parse(line))
      return starts.findLast((start) => start.canal === canal && start.stream === stream) ?? null
    },
    async pause(canal, segundo) {
      const before = linesOf(program, 'pausado').length
      program.send({ canal, pausa: segundo })
      const line = await waitFor('the pause', () => linesOf(program, 'pausado')[before])
      return (JSON.parse(line) as { time: number }).time
    },
    resume: (canal) => program.send({ canal, pausa: null }),
    sendKeyframe: (canal, stream) => program.send({ canal, quadro_chave: stream }),
    async close() {
      await program.stop()
    },
  }
}

/** Returns the complete output lines with this message. */
const linesOf = (program: Program, msg: string): string[] =>
  program
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.includes(`"msg":"${msg}"`))
