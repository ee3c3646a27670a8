import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from './refusal.ts'

/** The commit from which a release is made. */
export interface Tagged {
  readonly versao: string
  readonly commit: string
  /** Time of the commit, epoch seconds: the time of the own files and of the release. */
  readonly committedS: number
}

/** Pages whose section of the version is part of a release. */
const CHANGELOGS = ['CHANGELOG.md', 'CHANGELOG.pt.md']

/**
 * Reads version, commit and time of a clean checkout whose HEAD has the tag of its version.
 * @throws Refusal when the checkout is another one.
 */
export function readTag(root: string): Tagged {
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
    } catch {
      throw new Refusal(`${root} não é um clone do repositório com ao menos um commit.`)
    }
  }
  const changed = git('status', '--porcelain').split('\n').filter(Boolean)
  if (changed.length > 0)
    throw new Refusal(
      `Uma versão é feita só do que está em um commit. Há ${changed.length} arquivo(s) com mudanças; o primeiro: ` +
        `${changed[0]?.slice(2).trim()}. Grave ou desfaça as mudanças e rode o comando outra vez.`,
    )
  const { version: versao }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${versao}`))
    throw new Refusal(
      `O commit atual não tem a etiqueta v${versao}, a versão de package.json. ` +
        `Crie-a com: git tag -a v${versao} -m 'Vigia ${versao}'`,
    )
  for (const file of CHANGELOGS)
    if (!readFileSync(join(root, file), 'utf8').includes(`\n## [${versao}]`))
      throw new Refusal(`Falta em ${file} a seção da versão ${versao}.`)
  return { versao, commit: git('rev-parse', 'HEAD'), committedS: Number(git('log', '-1', '--format=%ct')) }
}
