import { runProgram } from '@vigia/testing/program'

const PASSPHRASE = 'uma senha comprida da cópia'

/** Runs the program `vigia`. @param killMs kills it with SIGKILL after this time; its code is then null */
export const runVigia = (args: readonly string[], env: Readonly<Record<string, string>>, killMs?: number) =>
  runProgram({
    entry: 'apps/cloud/src/vigia/main.ts',
    args,
    env: { VIGIA_COPIA_SENHA: PASSPHRASE, ...env },
    ...(killMs !== undefined && { readyMs: killMs }),
  })
