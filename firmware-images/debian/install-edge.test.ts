import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { startProgram } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { builtInModels } from '@vigia/vision/built-in-models'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('install-edge.sh', import.meta.url))
const canInstall = process.platform === 'linux' && spawnSync('npm', ['view', 'zod', 'name']).status === 0
const INSTALL_MS = 180_000
/** Development tools, and declared dependencies that the edge never loads. */
const NOT_SHIPPED = [
  'typescript',
  'vite',
  'vitest',
  'turbo',
  'playwright-core',
  '@sparticuz',
  '@biomejs',
  'sharp',
  '@img',
  'werift',
  'mediabunny',
  'unzipper',
  '@types',
]

describe.skipIf(!canInstall)('an edge installed by install-edge.sh (needs Linux and the npm registry)', () => {
  let root = ''
  let program = ''

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'vigia-edge-'))
    program = join(root, 'opt/vigia-edge/atual')
    execFileSync(script, ['--central', 'http://127.0.0.1:9'], { env: { ...process.env, DESTDIR: root }, stdio: 'pipe' })
  }, INSTALL_MS)
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('contains its own Node and only the packages that the edge loads', () => {
    const modules = join(program, 'node_modules')
    expect(execFileSync(join(modules, '.bin/node'), ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./)
    for (const name of NOT_SHIPPED) expect(existsSync(join(modules, name)), name).toBe(false)
    const packages = readdirSync(join(program, 'packages'))
    expect(readdirSync(join(program, 'apps'))).toEqual(['edge'])
    expect(readdirSync(join(modules, '@vigia')).sort()).toEqual([...packages, 'edge'].sort())
    expect(packages).not.toContain('testing')
  })

  it('contains no file for tests, measurements or training, and only the models of the edge', () => {
    const files = readdirSync(program, { recursive: true, encoding: 'utf8' })
    const own = files.filter((file) => !file.startsWith('node_modules'))
    expect(
      own.filter((file) =>
        /\.test\.|\.patch$|fixtures|\/testing|\/e2e|bench|training|(data|calibration)\.txt$|\.py$|\.sh$|\.mjs$/.test(
          file,
        ),
      ),
    ).toEqual([])
    const models = own.filter((file) => file.endsWith('.onnx')).map((file) => basename(file))
    const ofTheEdge = builtInModels
      .filter(({ uso }) => uso !== 'confirmacao')
      .flatMap((model) => [model.arquivo, ...('leve' in model ? [model.leve.arquivo] : [])])
    expect(models.sort()).toEqual(ofTheEdge.sort())
    expect(own).toContain('packages/models/NOTICE.md')
    const others = files.filter((file) => file.startsWith('node_modules'))
    expect(
      others.filter(
        (file) => /\.(ts|map)$|(darwin|win32)([-/]|(?!.*\.[cm]js$))/.test(file) && !file.includes('@vigia/'),
      ),
    ).toEqual([])
    expect(others.some((file) => /zod\/LICENSE$/.test(file))).toBe(true)
  })

  it('makes the settings readable for root only, and leaves one version', () => {
    expect(statSync(join(root, 'etc/vigia-edge/edge.env')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(root, 'opt/vigia-edge/versoes'))).toHaveLength(1)
  })

  it('runs by its unit file: waits for the activation code, sends it to the cloud, and stops on SIGTERM', async () => {
    const asked: string[] = []
    const central = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        asked.push(`${request.url} ${JSON.parse(body).codigo}`)
        response.writeHead(401).end()
      })
    })
    await new Promise<void>((resolve) => central.listen(0, '127.0.0.1', resolve))
    const address = central.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const child = start({ VIGIA_CLOUD_URL: `http://127.0.0.1:${address.port}` })
    try {
      await said(child, 'Aguardando o código de ativação desta caixa.')
      writeFileSync(join(root, 'etc/vigia-edge/codigo'), 'ABCDEFGHJKMNPQRS\n')
      await said(child, 'O código de ativação foi recusado pela central.')
      expect(asked).toEqual(['/api/v1/edges/ativar ABCDEFGHJKMNPQRS'])
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    } finally {
      child.kill('SIGKILL')
      central.close()
    }
  })

  it('reads a camera and delivers its events', async () => {
    const [recorder, cloud] = await Promise.all([startRecorder(), startCloudStandIn()])
    const code = join(cloud.dir, 'codigo')
    cloud.codes.add('codigo')
    writeFileSync(code, 'codigo\n')
    const edge = await startProgram({
      entry: join(program, 'apps/edge/src/main.ts'),
      execPath: join(program, 'node_modules/.bin/node'),
      env: { VIGIA_DATA_DIR: cloud.dir, VIGIA_CLOUD_URL: cloud.url, VIGIA_ATIVACAO_ARQUIVO: code },
    })
    try {
      await waitFor('the first report', () => cloud.reports.length > 0)
      const analises = (['invasao', 'fogo', 'epi'] as const).map((ia) => ({
        ia,
        calibracao: calibracaoPadrao[ia],
        agenda: null,
      }))
      await cloud.configure(1, [{ id: 1, rtsp_url: recorder.url(1, 'sub'), analises }])
      await waitFor('an event', () => cloud.arrived.length > 0)
      expect(cloud.arrived[0]?.midias.length).toBeGreaterThan(0)
      expect(cloud.reports.at(-1)?.cameras[0]).toMatchObject({ ias_indisponiveis: [], ias_sem_suporte: [] })
    } finally {
      await edge.stop()
      await recorder.close()
      await cloud.close()
    }
  })

  /** Runs ExecStart with the environment and working directory of the installed unit, below `root` instead of `/`. */
  function start(env: Record<string, string>): ChildProcess {
    const unit = readFileSync(join(root, 'etc/systemd/system/vigia-edge.service'), 'utf8')
    const moved = unit.replaceAll(/\/(?:opt|etc|var\/lib)\/vigia-edge/g, (path) => join(root, path))
    const values = (key: string) =>
      [...moved.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    const [program = '', ...args] = (values('ExecStart')[0] ?? '').split(' ')
    const settings = values('Environment').map((line) => line.split('=') as [string, string])
    return spawn(program, args, {
      cwd: values('WorkingDirectory')[0],
      env: { PATH: '/usr/bin:/bin', ...Object.fromEntries(settings), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
})

/** Resolves when the program has written `text`; rejects when it exits before. */
const said = (child: ChildProcess, text: string) =>
  new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`ended without “${text}”: ${output}`)))
  })
