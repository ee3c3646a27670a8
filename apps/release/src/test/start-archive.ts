import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { type Program, repositoryRoot, runProgram, startProgram } from '@vigia/testing/program'

const NODE_AV = `node_modules/@seydx/node-av-linux-${process.arch}`

/** Unpacks an archive and adds the one package that no archive has, as a link. Returns the folder of the program. */
export function unpackArchive(archive: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const program = join(folder, 'vigia')
  mkdirSync(join(program, NODE_AV, '..'), { recursive: true })
  symlinkSync(join(repositoryRoot, NODE_AV), join(program, NODE_AV))
  return program
}

const inside = (program: string, entry: string) => ({
  entry: join(program, entry),
  execPath: join(program, 'node_modules/.bin/node'),
})

/** Loads the native parts that the program has, as an installation does before the switch. */
export function loadNativeParts(program: string, names: readonly string[]): void {
  const script = `for (const name of ${JSON.stringify(names)}) await import(name)`
  execFileSync(join(program, 'node_modules/.bin/node'), ['--input-type=module', '--eval', script], { cwd: program })
}

/** Starts the agent without an activation code and returns what it said when it was ready. */
export async function startEdge(program: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'codigo'), '')
  const edge = await startProgram({
    ...inside(program, 'apps/edge/src/main.ts'),
    env: {
      VIGIA_DATA_DIR: folder,
      VIGIA_CLOUD_URL: 'http://127.0.0.1:9',
      VIGIA_ATIVACAO_ARQUIVO: join(folder, 'codigo'),
    },
  })
  await edge.stop()
  return edge.output()
}

/** Prepares and starts broker and cloud of a program. Returns the status of `/readyz` and of the dashboard's page. */
export async function startCentral(program: string, folder: string): Promise<{ readyz: number; page: number }> {
  const [port, mqttPort] = [await freePort(), await freePort()]
  const env = {
    VIGIA_DATA_DIR: folder,
    PORT: String(port),
    VIGIA_MQTT_PORT: String(mqttPort),
    VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
    VIGIA_ADMIN_USERNAME: 'admin',
    VIGIA_ADMIN_PASSWORD: 'senha-de-teste-0k',
  }
  const { code, output } = await runProgram({ ...inside(program, 'apps/cloud/src/prepare.ts'), env })
  if (code !== 0) throw new Error(output)
  const started: Program[] = []
  try {
    for (const app of ['broker', 'cloud'])
      started.push(await startProgram({ ...inside(program, `apps/${app}/src/main.ts`), env }))
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    return { readyz: await status('/readyz'), page: await status('/') }
  } finally {
    for (const one of started.reverse()) await one.stop()
  }
}
