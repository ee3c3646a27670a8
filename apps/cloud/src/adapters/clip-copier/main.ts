import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { copyFile } from '@vigia/video/encode/copy-file'
import { NoEncoderError } from '@vigia/video/encode/small-copy'
import type { CopyResult } from './clip-copier.ts'

/** Copies one clip: arguments are the file and the file to write. It ends with the process that started it. */

// Skips the native destructors, as under threads that still work they abort. The kernel releases all resources.
const die = () => process.kill(process.pid, 'SIGKILL')

const NICE = 10

async function run(input: string, output: string): Promise<CopyResult> {
  try {
    const copy = await copyFile(input, new AbortController().signal)
    if (copy === null) return 'falhou'
    await writeFile(output, copy.data)
    return 'feita'
  } catch (error) {
    if (error instanceof NoEncoderError) return 'sem_codificador'
    throw error
  }
}

// Ctrl-C in the terminal reaches both processes; the other one ends this one.
process.on('SIGINT', () => {})
process.on('disconnect', die)
setPriority(NICE)
const [input = '', output = ''] = process.argv.slice(2)
const result = await run(input, output)
process.send?.(result, undefined, {}, die)
