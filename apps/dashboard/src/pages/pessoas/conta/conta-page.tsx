import { Button } from '@mantine/core'
import { useRouteContext, useRouter } from '@tanstack/react-router'
import type { SegundoFator } from '@vigia/contracts/segundo-fator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { meQuery } from '../../../api/queries.ts'
import { mustEnrol } from '../../../session/must-enrol.ts'
import { papelNaTela } from '../../../session/papel-na-tela.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Column, Row } from '../../../ui/layout.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Required } from '../../../ui/warning.tsx'
import { ConfirmCode } from './confirm-code.tsx'
import classes from './conta.module.css'
import { LanguageChoice } from './language-choice.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnPush } from './own-push.tsx'
import { OwnQuiosque } from './own-quiosque.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Step =
  | { readonly tipo: 'ligar' | 'novos' | 'desligar' }
  | { readonly tipo: 'confirmar'; readonly segredo: string; readonly otpauth: string }
  | { readonly tipo: 'codigos'; readonly codigos: readonly string[]; readonly frase: string }

/** The current login: second factor, password and sessions. A screen in kiosk mode only ends here. */
export function ContaPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  usePageTitle(t('conta.titulo'))
  return (
    <>
      <PageHead>
        <h1>{t('conta.titulo')}</h1>
      </PageHead>
      {mustEnrol(me) && <Required role="status">{t('conta.exigido')}</Required>}
      <dl className={classes.facts}>
        <dt>{t('conta.login')}</dt>
        <dd>
          <bdi>{me.username}</bdi>
        </dd>
        <dt>{t('conta.papel')}</dt>
        <dd>{t(`painel.papel.${papelNaTela(me)}`)}</dd>
        {me.empresa_nome !== null && (
          <>
            <dt>{t('conta.empresa')}</dt>
            <dd>
              <bdi>{me.empresa_nome}</bdi>
            </dd>
          </>
        )}
      </dl>
      <Column gap={10}>
        {me.id === null ? (
          <OwnQuiosque nome={me.username} />
        ) : (
          <>
            <SecondFactor />
            {!mustEnrol(me) && (
              <>
                <OwnPassword username={me.username} />
                <OwnPush />
                <OwnSessions />
              </>
            )}
          </>
        )}
        <LanguageChoice />
      </Column>
    </>
  )
}

function SecondFactor() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const router = useRouter()
  const announce = useAnnounce()
  const [step, setStep] = useState<Step | null>(null)
  const { ligado, exigido, codigos_restantes } = me.segundo_fator
  const close = () => setStep(null)
  const open = (tipo: 'ligar' | 'novos' | 'desligar') => () => setStep({ tipo })

  /** `me` has changed, and with it the set of pages. */
  async function settle(sentence: string) {
    await queries.fetchQuery({ ...meQuery(api), staleTime: 0 })
    await router.invalidate()
    announce(sentence)
  }
  const showCodes = (frase: string) => (answer: SegundoFator) =>
    setStep({ tipo: 'codigos', codigos: answer.codigos_recuperacao ?? [], frase })
  /** Called after the codes were shown: a new `me` may change the frame of the page, which would discard the codes. */
  const finish = (frase: string) => {
    close()
    void settle(frase)
  }
  return (
    <section className={classes.factor} aria-labelledby="segundo-fator">
      <h2 id="segundo-fator">
        {t('conta.fator.titulo')}
        <Badge data-on={ligado || undefined}>{t(ligado ? 'conta.fator.ligado' : 'conta.fator.desligado')}</Badge>
      </h2>
      <p>{t('conta.fator.texto')}</p>
      {ligado && (
        <p>
          {t('conta.fator.restantes', { count: codigos_restantes })}
          {codigos_restantes < 4 && ` ${t('conta.fator.poucos')}`}
        </p>
      )}
      <Row gap={6}>
        {ligado ? (
          <>
            <Button variant="default" onClick={open('novos')}>
              {t('conta.fator.novos')}
            </Button>
            <Button variant="subtle" color="gray" onClick={open('desligar')}>
              {t('conta.fator.desligar')}
            </Button>
          </>
        ) : (
          <Button onClick={open('ligar')}>{t('conta.fator.ligar')}</Button>
        )}
      </Row>
      {step?.tipo === 'ligar' && (
        <PasswordDialog
          acao="iniciar"
          title={t('conta.senha.ligarTitulo')}
          text={t('conta.senha.ligarTexto')}
          submit={t('conta.senha.continuar')}
          onClose={close}
          onDone={({ segredo, otpauth }) =>
            setStep({ tipo: 'confirmar', segredo: segredo ?? '', otpauth: otpauth ?? '' })
          }
        />
      )}
      {step?.tipo === 'confirmar' && (
        <ConfirmCode {...step} onClose={close} onDone={showCodes(t('conta.anuncio.ligado'))} />
      )}
      {step?.tipo === 'novos' && (
        <PasswordDialog
          acao="novos_codigos"
          title={t('conta.senha.novosTitulo')}
          text={t('conta.senha.novosTexto')}
          submit={t('conta.senha.novosConfirmar')}
          onClose={close}
          onDone={showCodes(t('conta.anuncio.novos'))}
        />
      )}
      {step?.tipo === 'desligar' && (
        <PasswordDialog
          acao="remover"
          title={t('conta.senha.desligarTitulo')}
          text={t(exigido ? 'conta.senha.desligarExigido' : 'conta.senha.desligarTexto')}
          submit={t('conta.senha.desligarConfirmar')}
          onClose={close}
          onDone={() => finish(t('conta.anuncio.desligado'))}
        />
      )}
      {step?.tipo === 'codigos' && (
        <RecoveryCodes codigos={step.codigos} username={me.username} onClose={() => finish(step.frase)} />
      )}
    </section>
  )
}
