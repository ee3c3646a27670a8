import { Button, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { Logo } from '../../../ui/logo.tsx'
import classes from './login-page.module.css'

/** Values of `?erro=` that have their own sentence. */
const erros = ['credenciais', 'tentativas', 'codigo', 'endereco', 'disco'] as const

/**
 * Sign-in. A plain form that the browser itself posts: password managers support it, and the password never passes
 * through the page's code.
 */
export function LoginPage() {
  const { t } = useTranslation()
  const { ownAddress } = useServices()
  const { erro, motivo } = useSearch({ from: '/login' })
  const [shown, setShown] = useState(false)
  const [sending, setSending] = useState(false)

  useEffect(() => {
    document.title = `${motivo ? t('sessao.tituloEncerrada') : t('sessao.entrar')} · Vigia`
  }, [t, motivo])

  useEffect(() => {
    // "Back" restores the page in its last state, which is busy.
    const restore = () => setSending(false)
    addEventListener('pageshow', restore)
    return () => removeEventListener('pageshow', restore)
  }, [])

  const known = erros.find((one) => one === erro)
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={44} />
          <h1>{t('sessao.titulo')}</h1>
          <p>{t('sessao.subtitulo')}</p>
        </div>
        {motivo && !erro && (
          <p className={classes.note} role="status">
            {t('sessao.terminou')}
          </p>
        )}
        {erro && (
          <p className={classes.error} role="alert" id="erro-entrada">
            {t(`sessao.erro.${known ?? 'outro'}`)}
          </p>
        )}
        <form method="post" action={ownAddress('/login')} className={classes.form} onSubmit={() => setSending(true)}>
          <TextInput
            label={t('sessao.usuario')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            withAsterisk={false}
            maxLength={200}
            size="md"
            autoFocus
            aria-describedby={erro ? 'erro-entrada' : undefined}
          />
          <TextInput
            label={t('sessao.senha')}
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            withAsterisk={false}
            maxLength={1024}
            size="md"
            rightSectionWidth={84}
            rightSection={
              <button
                type="button"
                className={classes.show}
                aria-label={shown ? t('sessao.ocultarDescricao') : t('sessao.exibirDescricao')}
                onClick={() => setShown(!shown)}
              >
                {shown ? t('sessao.ocultar') : t('sessao.exibir')}
              </button>
            }
          />
          {/* Only styled as busy: a disabled button would stay unusable if the browser stopped the request. */}
          <Button type="submit" size="md" fullWidth data-busy={sending || undefined}>
            {sending ? t('sessao.entrando') : t('sessao.entrar')}
          </Button>
        </form>
      </div>
    </main>
  )
}
