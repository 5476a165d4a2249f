/**
 * Turns notices on and off in this browser, from the card that has their key, and says what stands in the way. Whoever signs out is told
 * nothing here any more: the next one at this browser is somebody else.
 */
export const AVISOS = String.raw`
(() => {
  const ESPERA_MS = 2000;
  const SEM_PERMISSAO = 'O navegador não deixa este endereço mostrar avisos. Permita as notificações nas configurações do site, ao lado do endereço, e recarregue a página.';
  const cartao = () => document.getElementById('avisos-neste-aparelho');
  const serve = isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  const bytes = (texto) => Uint8Array.from(atob(texto.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const inscricao = async () => {
    const servico = serve ? await navigator.serviceWorker.getRegistration('/painel/') : null;
    return (await servico?.pushManager.getSubscription()) ?? null;
  };
  const linhaDe = async (inscrita) => {
    const resumo = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(new URL(inscrita.endpoint).href));
    const emHex = [...new Uint8Array(resumo)].map((um) => um.toString(16).padStart(2, '0')).join('');
    return cartao()?.querySelector('[data-resumo="' + emHex + '"]') ?? null;
  };

  const dizer = (texto) => {
    const onde = cartao()?.querySelector('[data-estado]');
    if (onde) onde.textContent = texto;
  };
  const oferecer = (oque) => {
    for (const botao of cartao()?.querySelectorAll('[data-avisos]') ?? []) botao.hidden = botao.dataset.avisos !== oque;
  };
  const mostrar = async () => {
    if (!cartao()?.querySelector('[data-avisos]')) return;
    const inscrita = await inscricao();
    const linha = inscrita && (await linhaDe(inscrita));
    if (linha) {
      linha.hidden = false;
      oferecer('desligar');
      return dizer(Notification.permission === 'granted' ? 'Ligados neste aparelho.' : SEM_PERMISSAO);
    }
    const negada = serve && Notification.permission === 'denied';
    oferecer(serve && !negada ? 'ligar' : '');
    if (serve) return dizer(negada ? SEM_PERMISSAO : 'Desligados neste aparelho.');
    dizer(isSecureContext ? 'Este navegador não recebe avisos.' : 'Os avisos só funcionam com o painel aberto por https.');
  };

  const ligar = async (botao) => {
    const permissao = await Notification.requestPermission();
    if (permissao !== 'granted') {
      await mostrar();
      if (permissao === 'default') dizer('O navegador perguntou e ninguém respondeu que sim: os avisos continuam desligados.');
      return;
    }
    await navigator.serviceWorker.register('/painel/servico.js', { scope: '/painel/', updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that is there is another person's, or was made with another key.
    await (await pushManager.getSubscription())?.unsubscribe();
    const nova = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(botao.dataset.chave) });
    const { endpoint, keys } = nova.toJSON();
    const formulario = botao.closest('form');
    for (const [nome, valor] of [['endpoint', endpoint], ['chaves.p256dh', keys.p256dh], ['chaves.auth', keys.auth]])
      formulario.elements[nome].value = valor;
    formulario.requestSubmit();
  };
  const desligar = async () => {
    const inscrita = await inscricao();
    const linha = inscrita && (await linhaDe(inscrita));
    await inscrita?.unsubscribe();
    if (linha) linha.closest('tr').querySelector('form[action$="/remover"]').requestSubmit();
    else await mostrar();
  };

  document.addEventListener('click', async (e) => {
    const botao = e.target.closest('[data-avisos]');
    if (!botao || botao.disabled) return;
    botao.disabled = true;
    try {
      await (botao.dataset.avisos === 'ligar' ? ligar(botao) : desligar());
    } catch {
      dizer('O navegador não conseguiu falar com o serviço de avisos dele. Veja a conexão e tente de novo.');
    }
    botao.disabled = false;
  });
  document.addEventListener('submit', (e) => {
    if (!serve || !e.target.matches('form[action="/painel/sair"]')) return;
    e.preventDefault();
    const esquecer = inscricao().then((inscrita) => inscrita?.unsubscribe()).catch(() => {});
    Promise.race([esquecer, new Promise((pronto) => setTimeout(pronto, ESPERA_MS))]).then(() => e.target.submit());
  });
  for (const evento of ['DOMContentLoaded', 'htmx:after:swap']) document.addEventListener(evento, () => mostrar().catch(() => {}));
})();
`;
