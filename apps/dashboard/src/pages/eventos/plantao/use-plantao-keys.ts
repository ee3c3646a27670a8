import { useRouteContext } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useEffect, useRef } from 'react'
import { type Answering, SILENCE_MIN, useMayWork } from '../../../domains/eventos/incidentes/use-answer.ts'
import { useServices } from '../../../session/services.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import type { useFila } from './use-fila.ts'

interface PlantaoKeys {
  readonly incidente: Incidente | null
  readonly answering: Answering
  readonly fila: ReturnType<typeof useFila>
  /** false: a dialog is open. */
  readonly isOpen: boolean
  onHelp(): void
  onNote(): void
  onFullScreen(): void
  onOpen(id: number): void
}

/** Time after a change of the selection in which answers by key are ignored: the key was meant for the one before. */
const SETTLE_MS = 300

/** The keys of Plantão (keyboard-help.tsx lists them). */
export function usePlantaoKeys({ incidente, answering, fila, isOpen, ...actions }: PlantaoKeys): void {
  const { settings } = useServices()
  const mayWork = useMayWork()
  const { username } = useRouteContext({ from: '/painel' }).me
  const id = incidente?.id ?? null
  const selectedAt = useRef(0)
  useEffect(() => {
    if (id !== null) selectedAt.current = performance.now()
  }, [id])
  const work = (act: () => void) => () => {
    if (id !== null && mayWork && performance.now() - selectedAt.current >= SETTLE_MS) act()
  }
  const all = {
    v: work(() => answering.answer('verdadeiro')),
    f: work(() => answering.answer('falso')),
    s: work(() => answering.answer('nao_sei')),
    m: work(() => answering.silence(SILENCE_MIN)),
    u: work(() => {
      if (incidente?.atendimento === null) answering.take(incidente.assumido?.por !== username)
    }),
    o: actions.onNote,
    n: fila.next,
    p: fila.previous,
    arrowdown: () => fila.move(1),
    arrowup: () => fila.move(-1),
    a: fila.update,
    enter: () => {
      if (id !== null) actions.onOpen(id)
    },
    t: actions.onFullScreen,
    '?': actions.onHelp,
  }
  useShortcuts(settings, isOpen ? all : {})
}
