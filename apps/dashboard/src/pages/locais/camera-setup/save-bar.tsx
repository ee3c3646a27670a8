import { Alert, Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../../../base/tempo/format-time.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './camera.module.css'
import type { CameraChange } from './save-camera.ts'
import type { CameraSave } from './use-camera-save.ts'

export interface SaveBarProps {
  readonly save: CameraSave
  /** The change to store; null: the editor shows the stored state. */
  readonly patch: CameraChange | null
  /** Reasons why the change cannot be stored. */
  readonly problems?: readonly string[]
  /** Shows the stored state in the editor. */
  readonly onReset: (stored: CameraSave['opened']) => void
}

/** Buttons of an editor, its failures, and the warning before its changes would be lost. */
export function SaveBar({ save, patch, problems = [], onReset }: SaveBarProps) {
  const { t } = useTranslation()
  const dirty = patch !== null
  return (
    <div className={classes.saveBar} data-dirty={dirty || undefined}>
      {save.failure && (
        <Alert color="red" variant="light" role="alert">
          {save.failure}
        </Alert>
      )}
      {dirty && problems.length > 0 && (
        <Alert color="red" variant="light" role="alert">
          {problems.join('. ')}.
        </Alert>
      )}
      {save.theirs && <Changed save={save} patch={patch} onReset={onReset} />}
      {!save.theirs && (
        <div className={classes.saveButtons}>
          <p role="status">{dirty ? t('camera.salvar.pendente') : t('camera.salvar.salvo')}</p>
          <Button variant="default" disabled={!dirty || save.busy} onClick={() => onReset(save.opened)}>
            {t('camera.salvar.descartar')}
          </Button>
          <Button
            disabled={!dirty || problems.length > 0}
            loading={save.busy}
            onClick={() => patch !== null && save.save(patch)}
          >
            {t('comum.salvar')}
          </Button>
        </div>
      )}
      <LeaveGuard dirty={dirty && !save.busy} />
    </div>
  )
}

function Changed({ save, patch, onReset }: Pick<SaveBarProps, 'save' | 'patch' | 'onReset'>) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(save.opened.empresa_id)
  const hora = formatClock(save.theirs?.atualizada_em ?? save.opened.atualizada_em, fuso)
  return (
    <Alert color="yellow" variant="light" role="alert">
      <p>
        <strong>{t('camera.salvar.mudou', { hora })}</strong>
      </p>
      <p>{t(patch === null ? 'camera.salvar.mudouSemMeu' : 'camera.salvar.mudouComMeu')}</p>
      <div className={classes.saveButtons}>
        <Button variant="default" onClick={() => onReset(save.adopt())}>
          {t('camera.salvar.verSalvo')}
        </Button>
        {patch !== null && (
          <Button loading={save.busy} onClick={() => save.overwrite(patch)}>
            {t('camera.salvar.porCima')}
          </Button>
        )}
      </div>
    </Alert>
  )
}

/** Asks before a link leaves an editor with changes. */
function LeaveGuard({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      danger
      title={t('camera.sair.titulo')}
      submit={t('camera.sair.confirmar')}
      busy={false}
      failure={null}
      onClose={blocker.reset}
      onSubmit={blocker.proceed}
    >
      <p>{t('camera.sair.texto')}</p>
    </Dialog>
  )
}
