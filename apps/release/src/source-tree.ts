import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { keptFile } from './kept-packages.ts'
import { type Component, components, type LockPackages, neededPackages, type Target } from './needed-packages.ts'
import { unpack } from './tar.ts'

/** Public part of the release key, in the repository. */
export const PUBLIC_KEY = 'deploy/release-key.pub'

/** Unpacks the files of a commit: ignored and changed files cannot get into a release. */
export function unpackCommit(root: string, commit: string, work: string): string {
  const archive = join(work, 'fonte.tar')
  execFileSync('git', ['-C', root, 'archive', '--format=tar', `--output=${archive}`, commit])
  const source = join(work, 'fonte')
  unpack(archive, source)
  return source
}

/** Calls a function of deploy/program.sh, which the install scripts use too, with `$work` and `$stage`. */
function callProgram(source: string, work: string, stage: string, call: string): void {
  const script = `set -eu; origin=$1; dest=; work=$2; stage=$3; . "$origin/deploy/program.sh"; ${call}`
  execFileSync('sh', ['-c', script, 'sh', source, work, stage], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Links to the workspaces among `needed`, which `npm ci` makes on an installed machine. */
function linkWorkspaces(packages: LockPackages, needed: ReadonlySet<string>, to: string): void {
  mkdirSync(join(to, 'node_modules/@vigia'), { recursive: true })
  for (const [path, { link, resolved }] of Object.entries(packages))
    if (link && resolved && needed.has(resolved)) symlinkSync(`../../${resolved}`, join(to, path))
}

/** Copies the own files of a component, without its packages, into a new folder `COMPONENT/vigia` of `work`. */
export function stageComponent(source: string, work: string, component: Component, packages: LockPackages): string {
  const stage = join(work, component, 'vigia')
  callProgram(source, work, stage, `copy_component ${component}`)
  linkWorkspaces(
    packages,
    neededPackages(packages, { ...components[component], target: { platform: 'linux', arch: 'x64' } }),
    stage,
  )
  for (const file of ['LICENSE', PUBLIC_KEY])
    if (existsSync(join(source, file))) cpSync(join(source, file), join(stage, file))
  return stage
}

/** The packages with which the dashboard is built on this machine, from the lock. */
export const dashboardTools = (packages: LockPackages, target: Target): Set<string> =>
  neededPackages(packages, { apps: ['apps/dashboard'], target, dev: true })

/** Builds the dashboard in `work/painel` from kept packages and returns the folder of the result. */
export function buildDashboard(
  source: string,
  work: string,
  packages: LockPackages,
  kept: string,
  target: Target,
): string {
  const folder = join(work, 'painel')
  callProgram(source, work, '', 'copy_dashboard')
  const needed = dashboardTools(packages, target)
  linkWorkspaces(packages, needed, folder)
  for (const path of needed) {
    const integrity = packages[path]?.integrity
    if (integrity) unpack(keptFile(kept, integrity), join(folder, path), 1)
  }
  const node = join(folder, `node_modules/node-${target.platform}-${target.arch}/bin/node`)
  const vite = join(folder, 'node_modules/vite/bin/vite.js')
  execFileSync(node, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(folder, 'apps/dashboard'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(folder, 'apps/dashboard/dist')
}
