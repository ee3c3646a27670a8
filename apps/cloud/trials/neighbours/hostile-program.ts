import { constants, setPriority } from 'node:os'
import type { AttackContext } from './attack.ts'
import { attacks } from './attacks.ts'

/** Runs one attack until its parent ends it, in a separate process so that it does not slow the measurement. */
const [name] = process.argv.slice(2)
const context = JSON.parse(process.env.VIGIA_HOSTILE_CONTEXT ?? '') as AttackContext
const attack = attacks.find((one) => one.name === name)
if (!attack) throw new Error(`no attack ${name}`)
// A remote attacker uses no CPU time of the server.
setPriority(constants.priority.PRIORITY_LOW)
const running = await attack.start(context)
const end = async () => {
  await running.stop()
  process.exit(0)
}
process.once('disconnect', end)
process.once('SIGTERM', end)
process.send?.({ pronto: true })
