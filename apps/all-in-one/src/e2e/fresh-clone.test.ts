import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

describe('the scripts of package.json', () => {
  it('have no pre or post script, because ignore-scripts skips those', () => {
    const npm = ['npm', 'config', 'get', 'ignore-scripts'] as const
    const value = execFileSync(npm[0], npm.slice(1), { cwd: repositoryRoot, env: cleanEnv(), encoding: 'utf8' })
    expect(value.trim()).toBe('true')
    const skipped = Object.keys(scripts).filter(
      (name) => /^(pre|post)/.test(name) && name.replace(/^(pre|post)/, '') in scripts,
    )
    expect(skipped).toEqual([])
  })

  it('install the packages first, and then resolve Node again', () => {
    const programs = Object.entries(scripts).filter(([, command]) => / apps\/\S+\.ts/.test(command))
    expect(programs.map(([name]) => name)).toEqual(['start', 'vigia', 'lab', 'release'])
    for (const [name, command] of programs)
      expect([name, command]).toEqual([
        name,
        expect.stringMatching(
          /^node packages\/toolchain\/bootstrap\.mjs( build)? && hash -r && exec node apps\/\S+\.ts$/,
        ),
      ])
    expect(scripts.test).toMatch(/^node packages\/toolchain\/bootstrap\.mjs build && /)
  })
})

describe('a fresh clone', () => {
  const dir = mkdtempSync(join(tmpdir(), 'vigia-clone-'))
  const clone = join(dir, 'vigia')
  const npm = join(dir, 'npm-cli.mjs')
  let output = ''
  let group: number | undefined

  beforeAll(() => {
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    })
    for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(repositoryRoot, name)))) {
      mkdirSync(dirname(join(clone, file)), { recursive: true })
      cpSync(join(repositoryRoot, file), join(clone, file))
    }
    // Instead of a download `npm ci` links the installed packages. The links of the workspaces are relative, so that
    // they point into the clone.
    const from = JSON.stringify(join(repositoryRoot, 'node_modules'))
    writeFileSync(
      npm,
      `import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
       if (process.argv[2] !== 'ci' || !process.argv.includes('--ignore-scripts')) process.exit(2)
       mkdirSync('node_modules')
       for (const name of readdirSync(${from}))
         if (name === '@vigia')
           cpSync(${from} + '/@vigia', 'node_modules/@vigia', { recursive: true, verbatimSymlinks: true })
         else if (name !== '.vigia-lock-hash') symlinkSync(${from} + '/' + name, 'node_modules/' + name)`,
    )
  })
  afterAll(() => {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  it('is installed, built and started by npm start without another step', { timeout: 180_000 }, async () => {
    const port = await freePort()
    // The PATH is that of npm: a folder that does not exist yet, and then the machine's own Node.
    const others = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
    const child = spawn('sh', ['-c', scripts.start ?? ''], {
      cwd: clone,
      env: {
        ...cleanEnv(),
        PATH: [join(clone, 'node_modules/.bin'), ...others].join(':'),
        npm_execpath: npm,
        npm_node_execpath: process.execPath,
        // The dashboard is unchanged: an earlier build comes from this cache.
        TURBO_CACHE_DIR: join(repositoryRoot, '.turbo/cache'),
        PORT: String(port),
        VIGIA_MQTT_PORT: String(await freePort()),
        VIGIA_DATA_DIR: join(dir, 'data'),
        VIGIA_DEMO: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    group = child.pid
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    let code: number | null | undefined
    const exited = new Promise<void>((resolve) =>
      child.once('close', (status) => {
        code = status
        resolve()
      }),
    )
    await waitFor('“Vigia pronto”', () => code !== undefined || output.includes('Vigia pronto'), { timeoutMs: 150_000 })
    expect(output).toMatch(/Instalando dependências: pronto[\s\S]*Construindo o painel: pronto[\s\S]*Vigia pronto/)
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
    expect(readdirSync(join(clone, 'apps/dashboard/dist'))).toContain('index.html')
    // npm sends this signal to the shell, so the program must have replaced the shell (exec).
    child.kill('SIGTERM')
    await exited
    group = undefined
    expect(output).toMatch(/Vigia parado\.\n$/)
  })
})
