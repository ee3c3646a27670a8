import { runProgram } from '@vigia/testing/program'

const PASSPHRASE = 'uma senha comprida da cópia'

/** Whether a run after a kill reports that the killed one had reached its end. */
export const wasComplete = (output: string): boolean => /já tinha terminado|já estava completa|já existe/.test(output)

/** Runs the program `vigia`. @param killMs kills it with SIGKILL after this time; its code is then null */
export const runVigia = (args: readonly string[], env: Readonly<Record<string, string>>, killMs?: number) =>
  runProgram({
    entry: 'apps/cloud/src/vigia/main.ts',
    args,
    env: { VIGIA_COPIA_SENHA: PASSPHRASE, ...env },
    ...(killMs !== undefined && { readyMs: killMs }),
  })
