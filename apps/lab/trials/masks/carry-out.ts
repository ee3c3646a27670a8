import { rmSync } from 'node:fs'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { measureCosts } from './costs.ts'
import { judgeOutputs } from './outputs.ts'

const DAY_MS = 86_400_000

/** Measures the costs, and then judges each output. */
export async function carryOut({ print }: TrialOutput): Promise<Result> {
  for (const { stream, coverMs, copyCores } of await measureCosts())
    print(`${stream}: ${coverMs.toFixed(2)} CPU ms to cover a picture, ${copyCores.toFixed(3)} core for a copy`)
  const folder = temporaryFolder('vigia-masks-')
  const recorder = await startRecorder({ gravacao: { trechos: [{ inicio: 0, fim: Date.now() + DAY_MS }] } })
  const vigia = await startInstallation()
  try {
    const rtsp = { main: recorder.url(1), sub: recorder.url(1, 'sub') }
    const outputs = await judgeOutputs(await vigia.signIn(), rtsp, folder)
    const shown = outputs.filter(({ isFlat }) => !isFlat).length
    print(`${outputs.length} outputs, ${shown} with masked pixels`)
    return {
      passed: shown === 0,
      rows: outputs.map(({ name, pictures, isFlat }) => ({ output: name, pictures, masks: isFlat ? 'flat' : 'SHOWN' })),
    }
  } finally {
    await vigia.close()
    await recorder.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
