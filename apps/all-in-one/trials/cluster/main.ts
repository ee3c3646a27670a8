import { keepRunning, requirePackages, type Step, tryCluster } from './try-cluster.ts'

/**
 * `npm run trial:cluster`: PostgreSQL, mosquitto, an S3 server, two replicas and nginx on this machine, with the files
 * of `deploy/`, and the demonstration on them. `-- --manter` keeps them running until Ctrl-C. All listen on 127.0.0.1.
 */
const COLUMN = 46

const done: Step[] = []
const show = (step: Step) => {
  done.push(step)
  console.log(`${step.name.padEnd(COLUMN)}${(step.ms / 1000).toFixed(1).padStart(7)} s  ${step.result}`)
}

try {
  const args = process.argv.slice(2)
  const unknown = args.filter((arg) => arg !== '--manter')
  if (unknown.length > 0) throw new Error(`unknown option ${unknown[0]}: only --manter exists`)
  requirePackages()
  const keep = args.includes('--manter')
  await tryCluster(show, keep ? keepRunning : null)
  console.log('Everything works.')
  process.exit(0)
} catch (error) {
  console.error(`Failed after the step "${done.at(-1)?.name ?? 'none'}".`)
  console.error(error)
  process.exit(1)
}
