import { ActionIcon, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import {
  IconBell,
  IconDeviceCctv,
  IconLogout,
  IconMoon,
  IconPlugConnectedX,
  IconRouter,
  IconSun,
} from '@tabler/icons-react'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDownNow } from '../quedas/use-down-now.ts'
import { ConnectionState } from './connection-state.tsx'
import { EmpresaSelect } from './empresa-select.tsx'
import classes from './header.module.css'
import { Logo } from './logo.tsx'
import { MoreMenu } from './more-menu.tsx'
import { SoundSwitch } from './sound-switch.tsx'

export function Header() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const role = me.papel === 'administrador' && me.empresa_id === null ? 'operador' : me.papel
  return (
    <header className={classes.header}>
      <Link to="/" className={classes.brand}>
        <Logo />
        <span>Vigia</span>
      </Link>
      <nav className={classes.nav} aria-label={t('painel.navegacao')}>
        <Link to="/" className={classes.navLink} activeOptions={{ exact: true, includeSearch: false }}>
          <IconBell size={20} aria-hidden="true" />
          {t('painel.alertas')}
        </Link>
        <Link to="/cameras" className={classes.navLink} activeOptions={{ includeSearch: false }}>
          <IconDeviceCctv size={20} aria-hidden="true" />
          {t('painel.cameras')}
        </Link>
        <Link to="/caixas" className={classes.navLink} activeOptions={{ includeSearch: false }}>
          <IconRouter size={20} aria-hidden="true" />
          {t('painel.caixas')}
        </Link>
        <Link to="/quedas" className={classes.navLink} activeOptions={{ includeSearch: false }}>
          <IconPlugConnectedX size={20} aria-hidden="true" />
          {t('painel.quedas')}
          <DownCount />
        </Link>
        <MoreMenu />
      </nav>
      <div className={classes.side}>
        <ConnectionState />
        <EmpresaSelect />
        <SoundSwitch />
        <ThemeSwitch />
        <Link to="/conta" className={classes.user} title={t('painel.conta')}>
          <span className={classes.username}>{me.username}</span>
          <span className={classes.role}>{me.empresa_nome ?? t(`painel.papel.${role}`)}</span>
        </Link>
        <a href="/logout" className={classes.logout} title={t('painel.sair')}>
          <IconLogout size={20} aria-hidden="true" />
          <span className={classes.logoutText}>{t('painel.sair')}</span>
        </a>
      </div>
    </header>
  )
}

/** Number of open quedas, on each page. */
function DownCount() {
  const { t } = useTranslation()
  const { edges, cameras } = useDownNow()
  const count = edges.length + cameras.length
  if (count === 0) return null
  return (
    <span className={classes.down}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{t('painel.quedasAbertas', { count })}</VisuallyHidden>
    </span>
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
