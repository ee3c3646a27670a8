import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../../api/base-path.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import classes from './conta.module.css'

/** Ends the kiosk mode of this screen, after a question. */
export function OwnQuiosque({ nome }: { readonly nome: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    location.assign(ownAddress('/logout'))
  }
  return (
    <section className={classes.factor} aria-labelledby="quiosque">
      <h2 id="quiosque">{t('quiosques.esta.titulo')}</h2>
      <p>{t('quiosques.esta.texto')}</p>
      <Row gap={6}>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('quiosques.esta.encerrar')}
        </Button>
      </Row>
      {asking && (
        <Dialog
          danger
          title={t('quiosques.esta.encerrar')}
          submit={t('quiosques.remocao.confirmar')}
          busy={leaving}
          failure={null}
          onClose={() => setAsking(false)}
          onSubmit={leave}
        >
          <p>{t('quiosques.esta.pergunta', { nome })}</p>
        </Dialog>
      )}
    </section>
  )
}
