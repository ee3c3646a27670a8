import { freePort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'

const USUARIO = 'vigia'
/** Everything that breaks naive URL handling. */
const SENHA = 's3nh@:/#&% ç'

/** The recorder simulator as a real process on one port, to be killed and brought back on the same one. */
export interface RecorderProcess {
  readonly porta: number
  readonly program: Program
  /** URL of a channel in the Intelbras/Dahua form, the password percent-encoded. */
  url(canal: number, stream?: 'principal' | 'sub', senha?: string): string
  kill(): Promise<void>
  /** Starts it again, with other faults (`canal` → fault) when given. */
  start(defeitos?: Record<number, string>): Promise<void>
  close(): Promise<void>
}

export async function startRecorder(
  options: { porta?: number; senha?: string; canais?: readonly string[]; defeitos?: Record<number, string> } = {},
): Promise<RecorderProcess> {
  const porta = options.porta ?? (await freePort())
  const own = options.senha ?? SENHA
  const launch = (defeitos: Record<number, string>) =>
    startProgram({
      entry: 'apps/dvr-simulator/src/main.ts',
      args: ['--porta', String(porta), ...(options.canais ?? []).flatMap((canal) => ['--canal', canal])],
      env: {
        VIGIA_SIM_USUARIO: USUARIO,
        VIGIA_SIM_SENHA: own,
        VIGIA_SIM_DEFEITOS: JSON.stringify(defeitos),
      },
    })
  let program = await launch(options.defeitos ?? {})
  return {
    porta,
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
    async close() {
      await program.stop()
    },
  }
}
