/** Messages of a program of `npm run lab -- cloud` to its parent (work.ts). */
type Message = { readonly fracao: number; readonly titulo: string } | { readonly resultado: unknown }

const send = (message: Message): void => void process.send?.(message)

/** @param fracao 0–1 of the whole work */
export const reportProgress = (fracao: number, titulo: string): void => send({ fracao, titulo })

/** Sends the result and ends the process, which would otherwise wait for its parent. */
export function reportResult(resultado: unknown): void {
  if (process.send) process.send({ resultado }, () => process.exit(0))
}

/** The JSON argument of the program. */
export const readTask = <Task>(): Task => JSON.parse(process.argv[2] ?? '{}') as Task
