import { backup } from './backup/backup.ts'
import type { Command } from './command.ts'
import { diagnose } from './diagnose/diagnose.ts'
import { conferBytes } from './installation/check-bytes.ts'
import { conciliateMedia } from './installation/reconcile-media.ts'
import { rotateKey } from './installation/rotate-key.ts'
import { usuario } from './installation/usuario.ts'
import { move } from './move/move.ts'
import { restore } from './restore/restore.ts'

interface Entry {
  readonly run: Command
  /** Words of the command, before its names. */
  readonly words: readonly string[]
  /** Names that must follow, and further ones that may follow. */
  readonly names: readonly [least: number, most: number]
  readonly flags: readonly string[]
  readonly usage: string
  readonly about: string
}

/** All commands, in the order of the usage text. */
export const commands: readonly Entry[] = [
  {
    run: diagnose,
    words: ['diagnostico'],
    names: [0, 0],
    flags: [],
    usage: 'diagnostico',
    about: 'confere a instalação e diz o que consertar',
  },
  {
    run: backup,
    words: ['backup'],
    names: [1, 1],
    flags: [],
    usage: 'backup <arquivo ou pasta>',
    about: 'cópia cifrada do banco, das imagens e das chaves',
  },
  {
    run: restore,
    words: ['restaurar'],
    names: [1, 1],
    flags: [],
    usage: 'restaurar <arquivo>',
    about: 'enche uma instalação vazia com uma cópia',
  },
  {
    run: move,
    words: ['migrar'],
    names: [0, 0],
    flags: [],
    usage: 'migrar',
    about: 'do SQLite para VIGIA_BANCO, e dos arquivos para VIGIA_MIDIA',
  },
  {
    run: rotateKey,
    words: ['trocar-chave'],
    names: [0, 0],
    flags: [],
    usage: 'trocar-chave',
    about: 'põe uma chave nova; vale na próxima partida',
  },
  {
    run: usuario,
    words: ['usuario', 'redefinir-senha'],
    names: [1, 1],
    flags: ['perguntar'],
    usage: 'usuario redefinir-senha <nome> [--perguntar]',
    about: 'senha nova, sorteada ou perguntada',
  },
  {
    run: usuario,
    words: ['usuario', 'remover-segundo-fator'],
    names: [0, 1],
    flags: [],
    usage: 'usuario remover-segundo-fator [nome]',
    about: 'de um operador que perdeu o celular',
  },
  {
    run: conciliateMedia,
    words: ['conciliar-midia'],
    names: [0, 0],
    flags: ['apagar'],
    usage: 'conciliar-midia [--apagar]',
    about: 'apaga arquivos sem registro e conta registros sem arquivo',
  },
  {
    run: conferBytes,
    words: ['conferir-bytes'],
    names: [0, 0],
    flags: [],
    usage: 'conferir-bytes',
    about: 'conta outra vez os bytes de cada Empresa; com o serviço parado',
  },
]

const WIDTH = Math.max(...commands.map(({ usage }) => usage.length))

export const usage = [
  'Uso: vigia <comando>',
  '',
  ...commands.map(({ usage, about }) => `  ${usage.padEnd(WIDTH)}  ${about}`),
  '',
  'Os ajustes vêm das mesmas variáveis que o serviço lê (VIGIA_DATA_DIR, VIGIA_BANCO, VIGIA_MIDIA…).',
  'A senha da cópia vem de VIGIA_COPIA_SENHA_ARQUIVO, de VIGIA_COPIA_SENHA ou do terminal.',
  'Guia: docs/pt/mudanca-e-copia.md',
].join('\n')

/** The command that these arguments name; null: none, or with names or options that it does not have. */
export function findCommand(
  positionals: readonly string[],
  flags: ReadonlySet<string>,
): { readonly run: Command; readonly names: readonly string[] } | null {
  for (const entry of commands) {
    if (!entry.words.every((word, at) => positionals[at] === word)) continue
    const names = positionals.slice(entry.words.length)
    const [least, most] = entry.names
    if (names.length < least || names.length > most || [...flags].some((flag) => !entry.flags.includes(flag)))
      return null
    // A command of two words decides by the second one.
    return { run: entry.run, names: [...entry.words.slice(1), ...names] }
  }
  return null
}
