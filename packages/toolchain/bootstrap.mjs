/**
 * Runs first in `npm start`, `npm test`, `npm run lab` and other commands. Needs Node 20 or newer and no installed
 * package. Installs the packages when package-lock.json differs from the one that node_modules was made from. The
 * argument `build` then builds the dashboard.
 *
 * Plain JavaScript without dependencies, because it runs before the installation. In package.json `hash -r` follows,
 * because the shell caches the path of `node` and the installation adds another `node`. `exec` replaces the shell by
 * the program, so that signals sent to npm reach it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const stamp = join(root, 'node_modules/.vigia-lock-hash')
const bin = join(root, 'node_modules/.bin')
/** Names and durations of the steps, for the table of `npm test`. */
const times = join(root, 'node_modules/.vigia-bootstrap.json')
let installMs = 0

const fail = (sentence, output = '') => {
  process.stderr.write(`${output}\n${sentence}\n`)
  process.exit(1)
}

/** Runs `command` and shows progress: a moving line on a terminal, a line every 10 s elsewhere. */
async function step(title, command, args, env) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const terminal = process.stdout.isTTY
  if (!terminal) process.stdout.write(`${title}…\n`)
  let tick = 0
  const timer = setInterval(
    () => {
      tick += 1
      if (terminal) process.stdout.write(`\r${'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[tick % 10]} ${title}… ${seconds()} s `)
      else process.stdout.write(`  ${title}: ${seconds()} s\n`)
    },
    terminal ? 200 : 10_000,
  )
  let output = ''
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.on('close', resolve)
  })
  clearInterval(timer)
  if (terminal) process.stdout.write(`\r${code === 0 ? '✓' : '✗'} ${title} (${seconds()} s)          \n`)
  else process.stdout.write(`${title}: ${code === 0 ? 'pronto' : 'falhou'} (${seconds()} s)\n`)
  return { code, output, ms: performance.now() - started }
}

const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash
if (!installed) {
  // Runs npm with the Node that started it: `npm ci` replaces node_modules/.bin/node.
  const npm = process.env.npm_execpath
  const [command, first] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm]] : ['npm', []]
  // Install scripts stay off (npm before 11 runs them): no package needs its script, and two scripts download files.
  const args = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output, ms } = await step('Instalando dependências', command, args, {})
  installMs = ms
  if (code !== 0)
    fail('A instalação falhou. Confira a internet e o espaço em disco e rode o comando outra vez.', output)
  writeFileSync(stamp, lockHash)
}

// npm 10 removes the link together with the packages of the other platforms, which have a bin of the same name.
const ownNode = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
if (existsSync(ownNode) && !existsSync(join(bin, 'node'))) symlinkSync(ownNode, join(bin, 'node'))

// The packages node-<platform> put the product's own Node into node_modules/.bin.
const node = existsSync(join(bin, 'node')) ? join(bin, 'node') : process.execPath
if (node === process.execPath && Number(process.versions.node.split('.')[0]) < 24)
  fail(
    `Não há Node 24 empacotado para ${process.platform}-${process.arch}. Instale o Node 24 e rode o comando outra vez.`,
  )

if (process.argv[2] === 'build') {
  const { code, output, ms } = await step(
    'Construindo o painel',
    join(bin, 'turbo'),
    ['run', 'build', '--output-logs=errors-only'],
    {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
    },
  )
  if (code !== 0) fail('A construção falhou; a causa está acima.', output)
  const parts = [
    { name: 'install', ms: installMs },
    { name: 'build', ms },
  ]
  writeFileSync(times, JSON.stringify(parts))
}
