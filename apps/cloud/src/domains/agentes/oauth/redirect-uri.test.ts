import { expect, it } from 'vitest'
import { acceptableRedirect, matchesRegistered } from './redirect-uri.ts'

it.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://agente.exemplo.br',
  'https://agente.exemplo.br:8443/volta?origem=vigia',
  'https://vscode.dev/redirect',
  'http://127.0.0.1:33418',
  'http://127.0.0.1:33418/',
  'http://127.0.0.1/callback',
  'http://localhost:6274/oauth/callback/debug',
  'http://[::1]:5000/callback',
  'com.exemplo.agente:/volta',
  'com.exemplo.agente://volta',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'vscode-insiders://saoudrizwan.claude-dev',
  'windsurf://codeium.windsurf/callback',
  'claude://oauth/callback',
  'zed://oauth/callback',
  'kiro://kiro.oauth/callback',
  'lmstudio://callback',
  'agente://volta',
  'meu-agente:/volta',
  'CURSOR2://volta',
  'constructor://volta',
])('takes %s', (uri) => {
  expect(acceptableRedirect(uri)).toBe(true)
  expect(matchesRegistered([uri], uri)).toBe(true)
})

it.each([
  'javascript:alert(1)',
  'JavaScript://claude.ai/%0aalert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.exemplo.br/1',
  'about:blank',
  'ws://localhost/x',
  'ftp://localhost/x',
  'mailto:ana@exemplo.br',
  'tel:+5511987654321',
  'sms:+5511987654321',
  'intent://volta',
  'view-source:https://exemplo.br/',
  'ms-settings:privacy',
  'chrome://settings',
  'web+agente://volta',
  'rtsp://localhost/volta',
  'http://agente.exemplo.br/volta',
  'http://localhost.exemplo.br/volta',
  'http://127.0.0.1.exemplo.br/volta',
  'http://10.0.0.1/volta',
  'http://0.0.0.0/volta',
  'http://127.1/volta',
  'http://2130706433/volta',
  'http://0x7f.0.0.1/volta',
  'http://localhost@exemplo.br/volta',
  'https://a@exemplo.br/volta',
  'https://@exemplo.br/volta',
  'https://a:b@exemplo.br/volta',
  'https://exemplo.br/volta#parte',
  'https://exemplo.br/volta#',
  'https://*.exemplo.br/volta',
  'https://exemplo.br/*',
  'https://exemplo.br/a/../volta',
  'https://exemplo.br/a/%2e%2e/volta',
  'https://exemplo.br/./volta',
  'https://exemplo.br\\@outro.br/volta',
  'https:\\\\exemplo.br/volta',
  'https:exemplo.br/volta',
  'https:///exemplo.br/volta',
  'https://exemplo%2ebr/volta',
  'https://exémplo.br/volta',
  'https://exemplo.br/vol ta',
  'https://exemplo.br/vol\tta',
  'https://exemplo.br/volta\n',
  ' https://exemplo.br/volta',
  'https://exemplo.br:70000/volta',
  '//exemplo.br/volta',
  '/volta',
  'exemplo.br',
  'https://',
  '',
])('refuses %j', (uri) => {
  expect(acceptableRedirect(uri)).toBe(false)
  expect(matchesRegistered([uri], uri)).toBe(false)
})

it('a loopback address may differ only in its port', () => {
  const registered = ['http://127.0.0.1:1/callback?a=1', 'http://localhost/volta', 'http://[::1]:7/x']
  for (const asked of [
    'http://127.0.0.1:65535/callback?a=1',
    'http://127.0.0.1/callback?a=1',
    'http://localhost:9/volta',
  ])
    expect([asked, matchesRegistered(registered, asked)]).toEqual([asked, true])
  for (const asked of [
    'http://localhost:1/callback?a=1',
    'http://127.0.0.2:1/callback?a=1',
    'https://127.0.0.1:1/callback?a=1',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:1/callback?a=2',
    'http://127.0.0.1:1/callback/?a=1',
    'http://127.0.0.1:1/Callback?a=1',
    'http://127.0.0.1:1/x/../callback?a=1',
    'http://127.0.0.1:1@exemplo.br/callback?a=1',
    'http://127.0.0.1:1.exemplo.br/callback?a=1',
    'http://localhost/volta/mais',
  ])
    expect([asked, matchesRegistered(registered, asked)]).toEqual([asked, false])
})

it('every other address matches exactly, including its port', () => {
  const registered = ['https://exemplo.br/volta', 'com.exemplo.agente:/volta']
  for (const asked of [
    'https://exemplo.br:8443/volta',
    'https://exemplo.br:443/volta',
    'https://EXEMPLO.br/volta',
    'https://exemplo.br/volta/',
    'https://exemplo.br/volta?x',
    'https://exemplo.br/volta/../outra',
    'https://exemplo.br.outro.br/volta',
    'https://outro.br/https://exemplo.br/volta',
    'com.exemplo.agente:/volta/mais',
    'com.exemplo.agente://volta',
  ])
    expect([asked, matchesRegistered(registered, asked)]).toEqual([asked, false])
})
