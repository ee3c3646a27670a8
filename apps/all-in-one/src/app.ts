import { constants, existsSync, readdirSync } from 'node:fs'
import { access, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { type Child, type ChildOptions, createChild, type UnplannedEnd } from './child.ts'
import { signIn } from './cloud-client.ts'
import type { Config } from './config.ts'
import { lockDataDir } from './data-lock.ts'
import { DEMO_HOST, simulatorArgs, startDemo } from './demo.ts'
import { portProblem } from './ports.ts'
import { runToEnd } from './run-to-end.ts'

const program = (path: string) => new URL(`../../${path}`, import.meta.url)

/** A failure that the operator can correct: printed without a stack trace. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

export interface AllInOne {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Settings that only the cloud process receives. */
const cloudSecrets: ReadonlySet<string> = new Set([
  'VIGIA_ADMIN_PASSWORD',
  'VIGIA_CHAVE',
  'VIGIA_CHAVE_ANTERIOR',
  'VIGIA_SMTP_URL',
  'VIGIA_TWILIO_AUTH_TOKEN',
  'VIGIA_TELEGRAM_TOKEN',
])

/**
 * The whole installation on one machine: prepares the keys, then runs cloud, broker, local edge and, for the
 * demonstration, the recorder simulator. Each is a separate process that is restarted after a crash.
 */
export function createAllInOne(config: Config, env: NodeJS.ProcessEnv, say: (line: string) => void): AllInOne {
  const running: Child[] = []
  let lock: { release(): Promise<void> } | null = null
  const logs = join(config.dataDir, 'logs')
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
  const mqttUrl = `mqtts://127.0.0.1:${config.mqttPort}`
  const probeAllowed = [env.VIGIA_SONDAGEM_PERMITIR, config.demo ? `${DEMO_HOST}/32` : ''].filter(Boolean).join(',')
  const common: NodeJS.ProcessEnv = {
    ...env,
    VIGIA_DATA_DIR: config.dataDir,
    ...(probeAllowed !== '' && { VIGIA_SONDAGEM_PERMITIR: probeAllowed }),
  }
  const withoutSecrets = Object.fromEntries(Object.entries(common).filter(([name]) => !cloudSecrets.has(name)))

  function child(
    name: string,
    options: Pick<ChildOptions, 'entry' | 'env' | 'onDemonstrationEnd'> & { args?: string[] },
  ): Child {
    const logFile = join(logs, `${name}.log`)
    return createChild({
      ...options,
      name,
      logFile,
      silenceMs: config.silenceMs,
      onCrash: (end, retryMs) => say(describeEnd(name, end, retryMs, logFile)),
    })
  }

  async function launch(instance: Child): Promise<{ porta?: number }> {
    running.push(instance)
    return await instance.start()
  }

  async function checkBefore(): Promise<void> {
    await mkdir(logs, { recursive: true, mode: 0o700 })
      .then(() => access(config.dataDir, constants.W_OK))
      .catch((error: Error) => {
        throw new StartProblem(
          `Não é possível gravar na pasta ${config.dataDir}. ` +
            'Confira as permissões, ou use outra: VIGIA_DATA_DIR=./outra npm start',
          { cause: error },
        )
      })
    lock = await lockDataDir(config.dataDir).catch((error: Error) => {
      if (unwritableDisk(error) !== 'cheio') throw error
      throw new StartProblem(`O disco está cheio: libere espaço em ${config.dataDir} e inicie de novo.`, {
        cause: error,
      })
    })
    if (!lock)
      throw new StartProblem(
        `O Vigia já está rodando com a pasta ${config.dataDir}. ` +
          'Pare-o antes, ou use outra: VIGIA_DATA_DIR=./outra npm start',
      )
    const problem =
      (await portProblem('PORT', config.host, config.port)) ??
      (await portProblem('VIGIA_MQTT_PORT', '127.0.0.1', config.mqttPort))
    if (problem) throw new StartProblem(problem)
  }

  async function demo(password: string | undefined): Promise<void> {
    const client = password === undefined ? null : await signIn(base, config.adminUsername, password)
    if (!client) {
      say('Demonstração: não iniciada, pois a senha do operador não é a deste início.')
      return
    }
    const createSimulator = ({ porta, usuario, senha }: { porta: number; usuario: string; senha: string }) => {
      const instance = child('simulador', {
        entry: program('dvr-simulator/src/main.ts'),
        args: simulatorArgs(porta),
        env: { ...withoutSecrets, VIGIA_SIM_USUARIO: usuario, VIGIA_SIM_SENHA: senha },
      })
      running.push(instance)
      return instance
    }
    try {
      const simulator = await startDemo({ client, dataDir: config.dataDir, createSimulator })
      if (simulator)
        say('Demonstração: gravador simulado com câmeras na Empresa “Demonstração” (desligue com VIGIA_DEMO=0).')
    } finally {
      await client.logout()
    }
  }

  return {
    async start() {
      await checkBefore()
      const initialPasswordFile = join(config.dataDir, 'cloud/senha-inicial')
      const firstStart = !existsSync(join(config.dataDir, 'cloud/vigia.db'))
      await runToEnd(program('cloud/src/prepare.ts'), common, join(logs, 'preparo.log'))
      say('Iniciando central, broker e edge…')
      const cloud = child('central', {
        entry: program('cloud/src/main.ts'),
        env: {
          ...common,
          PORT: String(config.port),
          VIGIA_HOST: config.host,
          VIGIA_MQTT_URL: mqttUrl,
          VIGIA_EDGE_LOCAL: '1',
        },
        onDemonstrationEnd: () => void running.find(({ name }) => name === 'simulador')?.stop(),
      })
      const broker = child('broker', {
        entry: program('broker/src/main.ts'),
        env: { ...withoutSecrets, VIGIA_MQTT_PORT: String(config.mqttPort) },
      })
      const edge = child('edge', {
        entry: program('edge/src/main.ts'),
        env: {
          ...withoutSecrets,
          VIGIA_CLOUD_URL: base,
          VIGIA_ATIVACAO_ARQUIVO: join(config.dataDir, 'cloud/edge-local.codigo'),
        },
      })
      const setAside = foldersSetAside(config.dataDir)
      await Promise.all([launch(cloud), launch(broker)])
      for (const name of foldersSetAside(config.dataDir).filter((folder) => !setAside.includes(folder)))
        say(`Os dados anteriores estão em ${join(config.dataDir, name)}; nada foi apagado.`)
      await launch(edge)

      const generated = existsSync(initialPasswordFile)
        ? (await readFile(initialPasswordFile, 'utf8')).trim()
        : undefined
      const password = config.adminPassword ?? generated
      if (config.demo) await demo(password)

      say('')
      say(`Vigia pronto: ${base}`)
      say(`Operador: ${config.adminUsername}`)
      if (firstStart && generated && !config.adminPassword)
        say(`Senha: ${generated}  (guardada em ${initialPasswordFile})`)
      else if (generated) say(`Senha: em ${initialPasswordFile}`)
      else say('Senha: a que foi escolhida em VIGIA_ADMIN_PASSWORD no primeiro início')
      say(`Registros: ${logs}   Para parar: Ctrl-C`)
    },

    async stop() {
      // Reverse of the start order: the edge stops first, so that its last messages still reach broker and cloud.
      const order = ['edge', 'simulador', 'central', 'broker']
      for (const name of order) await running.find((instance) => instance.name === name)?.stop()
      await lock?.release()
    },
  }
}

/** Folders with unusable data that the cloud moved aside (VIGIA_COMECAR_DE_NOVO). */
const foldersSetAside = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.startsWith('antigo-'))

/** Returns the console line for an unplanned end of a program. */
function describeEnd(name: string, { reason, silentMs }: UnplannedEnd, retryMs: number, logFile: string): string {
  const retry = `reinicia em ${(retryMs / 1000).toFixed(1)} s.`
  if (silentMs === null) return `${name} caiu (${reason}); ${retry}`
  const silent = `${name} não respondeu por ${Math.round(silentMs / 1000)} s e foi encerrado; ${retry}`
  return `${silent} Se isso se repetir, veja ${logFile}`
}
