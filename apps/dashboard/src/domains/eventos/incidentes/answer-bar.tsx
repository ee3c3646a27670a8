import { Alert, Button } from '@mantine/core'
import {
  IconBellOff,
  IconBellRinging,
  IconCheck,
  IconPlayerTrackNext,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react'
import type { Silencio } from '@vigia/contracts/cameras'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { Row } from '../../../ui/layout.tsx'
import classes from './answer-bar.module.css'
import { type Answering, respostas, SILENCE_MIN, useMayWork } from './use-answer.ts'

const icons = { verdadeiro: IconCheck, falso: IconX, nao_sei: IconQuestionMark } as const
const keys = { verdadeiro: 'V', falso: 'F', nao_sei: 'S' } as const

interface AnswerBarProps {
  readonly incidente: Incidente
  readonly answering: Answering
  /** Silence of the camera now; undefined: the camera was removed. */
  readonly silencio: Silencio | null | undefined
  /** null: there is no next one. */
  readonly onNext: (() => void) | null
}

/** The answers to one incidente, each one key or one thumb away. A `usuario` only moves on. */
export function AnswerBar({ incidente, answering, silencio, onNext }: AnswerBarProps) {
  const { t } = useTranslation()
  const mayWork = useMayWork()
  const given = incidente.atendimento?.resposta
  return (
    <div className={classes.bar}>
      {mayWork && (
        <fieldset className={classes.answers}>
          <legend className={classes.question}>{t('plantao.resposta.pergunta')}</legend>
          {respostas.map((resposta) => {
            const Icon = icons[resposta]
            return (
              <Button
                key={resposta}
                size="md"
                variant={given === resposta ? 'light' : 'default'}
                aria-pressed={given === resposta}
                aria-keyshortcuts={keys[resposta]}
                leftSection={<Icon size={18} aria-hidden="true" />}
                data-busy={answering.pending === resposta || undefined}
                onClick={() => answering.answer(resposta)}
              >
                {t(`plantao.resposta.${resposta}`)}
              </Button>
            )
          })}
        </fieldset>
      )}
      <Row gap={5}>
        {onNext && (
          <Button
            variant="default"
            aria-keyshortcuts="N"
            leftSection={<IconPlayerTrackNext size={18} aria-hidden="true" />}
            onClick={onNext}
          >
            {t('plantao.resposta.proximo')}
          </Button>
        )}
        {mayWork && silencio !== undefined && <Silence answering={answering} silencio={silencio} />}
      </Row>
      {answering.failure !== null && (
        <Alert color="red" variant="light" role="alert">
          {answering.failure}
        </Alert>
      )}
    </div>
  )
}

function Silence({ answering, silencio }: { answering: Answering; silencio: Silencio | null }) {
  const { t } = useTranslation()
  if (silencio !== null) {
    return (
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconBellRinging size={18} aria-hidden="true" />}
        onClick={() => answering.silence(0)}
      >
        {t('plantao.resposta.encerrarSilencio')}
      </Button>
    )
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      aria-keyshortcuts="M"
      title={t('plantao.atalhos.silenciar')}
      leftSection={<IconBellOff size={18} aria-hidden="true" />}
      onClick={() => answering.silence(SILENCE_MIN)}
    >
      {t('plantao.resposta.silenciar')}
    </Button>
  )
}
