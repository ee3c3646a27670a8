import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { hasOwnPush, leaveWithPush } from '../../domains/mensagens/avisos/leave-with-push.ts'
import { papelNaTela } from '../../session/papel-na-tela.ts'
import { useServices } from '../../session/services.ts'
import { Logo } from '../../ui/logo.tsx'
import { ConnectionState } from './connection-state.tsx'
import { EmpresaChooser } from './empresa-chooser.tsx'
import classes from './header.module.css'
import { SoundSwitch } from './sound-switch.tsx'

/** On every page: whether it is live, the login, and the Empresa that it shows. */
export function Header() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { settings } = useServices()
  return (
    <header className={classes.header}>
      <Link to="/" className={classes.brand} aria-label={t('painel.inicioVigia')}>
        <Logo />
        <span aria-hidden="true">Vigia</span>
      </Link>
      <ConnectionState />
      <div className={classes.switches}>
        <SoundSwitch />
        <ThemeSwitch />
        {/* Leaving ends a quiosque for good, so that it stands in Minha conta, behind a question. */}
        {me.id !== null && (
          <a
            href={ownAddress('/logout')}
            className={classes.logout}
            title={t('painel.sair')}
            aria-label={t('painel.sair')}
            onClick={(event) => {
              if (!hasOwnPush(settings)) return
              event.preventDefault()
              void leaveWithPush(settings)
            }}
          >
            <IconLogout size={20} aria-hidden="true" />
          </a>
        )}
      </div>
      <div className={classes.who}>
        <EmpresaChooser />
        <Link to="/conta" className={classes.user} title={t('painel.conta')}>
          <span className={classes.username}>{me.username}</span>
          <span className={classes.role}>{me.empresa_nome ?? t(`painel.papel.${papelNaTela(me)}`)}</span>
        </Link>
      </div>
    </header>
  )
}

function ThemeSwitch() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('dark') === 'dark'
  const label = dark ? t('painel.temaClaro') : t('painel.temaEscuro')
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={40}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={20} /> : <IconMoon size={20} />}
    </ActionIcon>
  )
}
