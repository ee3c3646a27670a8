import type { CameraTask } from '@vigia/analysis/model'
import { ia } from '@vigia/contracts/ias'
import { evidenceOf } from '@vigia/ias/evidences'

/**
 * The task of a camera that is away from its home position: without the analyses that need the picture of that
 * position. These use the line, a zone, the background, or judge whether the camera sees its normal picture.
 */
export function awayTask(task: CameraTask): CameraTask {
  const stays = ({ ia: nome }: CameraTask['analises'][number]) =>
    ia(nome).geometria === 'zona' && task.zonas.length === 0 && evidenceOf(nome).stillObjects !== true
  return { ...task, analises: task.analises.filter(stays) }
}
