import type { Camera } from '@vigia/contracts/cameras'
import type { Incidente, IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { AnswerBar } from '../../../domains/eventos/incidentes/answer-bar.tsx'
import { AnswerHistory } from '../../../domains/eventos/incidentes/answer-history.tsx'
import { NoteField } from '../../../domains/eventos/incidentes/note-field.tsx'
import { SilenceMark } from '../../../domains/eventos/incidentes/silence-mark.tsx'
import { TakeBar } from '../../../domains/eventos/incidentes/take-bar.tsx'
import type { Answering } from '../../../domains/eventos/incidentes/use-answer.ts'
import { DownNow } from '../../../domains/eventos/quedas/down-now.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useWide } from '../../../ui/use-wide.ts'
import classes from './rail.module.css'

interface RailProps {
  readonly incidente: Incidente
  readonly detalhe: IncidenteDetalhe | undefined
  readonly camera: Camera | undefined
  readonly answering: Answering
  readonly onNext: () => void
}

/** All that a guard does with the selected incidente, and what was done with it. */
export function Rail({ incidente, detalhe, camera, answering, onNext }: RailProps) {
  const wide = useWide()
  const { fuso } = useEmpresa(incidente.empresa_id)
  return (
    <div className={classes.rail}>
      <div className={classes.answers}>
        <AnswerBar incidente={incidente} answering={answering} silencio={camera?.silencio} onNext={onNext} />
      </div>
      <NoteField answering={answering} />
      <TakeBar incidente={incidente} answering={answering} />
      <div className={classes.silence}>
        {camera?.silencio && <SilenceMark silencio={camera.silencio} fuso={fuso} />}
      </div>
      <AnswerHistory last={incidente.atendimento} atendimentos={detalhe?.atendimentos ?? []} fuso={fuso} />
      {/* At the end, because nothing may move when a camera goes offline. */}
      {wide && <DownNow />}
    </div>
  )
}
