/**
 * What pages do beyond what forms and links do by themselves: theme, keys, dialogs, copying, time series, passkeys, and signing in again
 * without losing what was typed. Everything works without it but what is live. No code of pages stands in the pages.
 */
export const SCRIPT = String.raw`
(() => {
  const raiz = document.documentElement;
  const escuro = matchMedia('(prefers-color-scheme: dark)');
  const pintar = () => {
    const tema = raiz.dataset.tema;
    raiz.dataset.bsTheme = tema === 'sistema' ? (escuro.matches ? 'dark' : 'light') : tema;
  };
  pintar();
  raiz.dataset.script = 'sim';
  if (window.PublicKeyCredential) raiz.dataset.passkeys = 'sim';
  escuro.addEventListener('change', pintar);

  const abrir = (dialogo) => dialogo && !dialogo.open && dialogo.showModal();
  const ligado = (nome) => raiz.dataset[nome] !== 'nao';

  document.addEventListener('click', async (e) => {
    const alvo = e.target.closest('[data-abre],[data-fecha],[data-copia],[data-marca],[data-passkey],[data-imprime]');
    if (!alvo) return;
    const { abre, copia, marca, passkey } = alvo.dataset;
    if ('imprime' in alvo.dataset) print();
    if (abre) {
      e.preventDefault();
      abrir(document.getElementById(abre));
    }
    if ('fecha' in alvo.dataset) {
      e.preventDefault();
      alvo.closest('dialog').close();
    }
    if (marca) {
      const caixas = [...document.getElementById(marca).querySelectorAll('input[type=checkbox]:enabled')];
      const falta = caixas.some((caixa) => !caixa.checked);
      for (const caixa of caixas) caixa.checked = falta;
    }
    if (copia) {
      const campo = document.getElementById(copia);
      const texto = campo.value ?? campo.textContent;
      const deu = await navigator.clipboard.writeText(texto).then(() => true, () => false);
      avisar(deu ? 'Copiado.' : 'Não foi possível copiar: selecione o texto e copie.');
    }
    if (passkey) chaveDeAcesso(alvo).catch(() => avisar('A chave de acesso não foi usada. Tente de novo ou escolha outro modo.'));
  });

  const avisar = (texto) => {
    const lugar = document.getElementById('ditos');
    if (!lugar) return;
    lugar.className = 'alert alert-info';
    lugar.textContent = texto;
  };

  // Single keys do nothing while somebody types, or where they were switched off.
  const destinos = { c: '/painel/clientes', t: '/painel/chamados', f: '/painel/faturas', i: '/painel', r: '/painel/rede' };
  let depoisDeG = 0;
  document.addEventListener('keydown', (e) => {
    const busca = document.getElementById('busca');
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k' && busca) {
      e.preventDefault();
      busca.focus();
      busca.select();
      return;
    }
    if (e.key === 'Escape' && e.target === busca) busca.blur();
    if (e.target === busca && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) return mover(e, '#achados a', busca);
    if (e.target.closest?.('#achados') && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) return mover(e, '#achados a', busca);
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.('input,textarea,select,dialog') || !ligado('teclas')) return;
    if (e.key === '/' && busca) {
      e.preventDefault();
      busca.focus();
    } else if (e.key === '?') abrir(document.getElementById('atalhos'));
    else if (e.key === 'g') depoisDeG = Date.now();
    else if (Date.now() - depoisDeG < 1500 && destinos[e.key]) location.href = destinos[e.key];
    else daFila(e);
  });
  const mover = (e, seletor, antes) => {
    const todos = [...document.querySelectorAll(seletor)];
    if (todos.length === 0) return;
    e.preventDefault();
    const n = todos.indexOf(document.activeElement) + (e.key === 'ArrowDown' || e.key === 'j' ? 1 : -1);
    (n < 0 ? (antes ?? todos[0]) : todos[Math.min(n, todos.length - 1)]).focus();
  };
  // A queue: j and k move, and the other keys press the button of the row that says so, once however long they are held.
  const daFila = (e) => {
    if (e.repeat && e.key !== 'j' && e.key !== 'k') return;
    if (!document.querySelector('[data-fila]')) return;
    if (e.key === 'j' || e.key === 'k') return mover(e, '[data-fila] a[data-linha]');
    const linha = document.activeElement?.closest('[data-fila] tr');
    const botao = linha?.querySelector('[data-tecla="' + CSS.escape(e.key) + '"]');
    if (botao) {
      e.preventDefault();
      botao.click();
    }
  };

  const bytes = (texto) => Uint8Array.from(atob(texto.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const texto = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const lida = (lista) => (lista ?? []).map((um) => ({ ...um, id: bytes(um.id) }));
  /** The options stand in the page; what the device answers is sent as a field of the form. */
  const chaveDeAcesso = async (botao) => {
    const opcoes = JSON.parse(botao.dataset.opcoes);
    opcoes.challenge = bytes(opcoes.challenge);
    const criar = botao.dataset.passkey === 'criar';
    if (criar) {
      opcoes.user.id = bytes(opcoes.user.id);
      opcoes.excludeCredentials = lida(opcoes.excludeCredentials);
    } else opcoes.allowCredentials = lida(opcoes.allowCredentials);
    const feita = await navigator.credentials[criar ? 'create' : 'get']({ publicKey: opcoes });
    const r = feita.response;
    const resposta = { clientDataJSON: texto(r.clientDataJSON) };
    if (criar) {
      resposta.attestationObject = texto(r.attestationObject);
      resposta.transports = r.getTransports?.() ?? [];
    } else {
      resposta.authenticatorData = texto(r.authenticatorData);
      resposta.signature = texto(r.signature);
      if (r.userHandle) resposta.userHandle = texto(r.userHandle);
    }
    const { id, type } = feita;
    const pronta = { id, rawId: id, type, response: resposta, clientExtensionResults: feita.getClientExtensionResults() };
    const formulario = botao.closest('form');
    formulario.querySelector('[name=' + botao.dataset.campo + ']').value = JSON.stringify(pronta);
    formulario.requestSubmit();
  };

  const grafico = (figura) => {
    if (!window.uPlot || figura.dataset.pronto) return;
    figura.dataset.pronto = 'sim';
    const { series, dados } = JSON.parse(figura.dataset.serie);
    const cor = getComputedStyle(raiz).color;
    const eixo = { stroke: cor, grid: { stroke: 'rgba(128,128,128,.25)', width: 1 } };
    const cores = ['#206bc4', '#d6336c', '#2fb344'];
    const lugar = document.createElement('div');
    figura.querySelector('figcaption').after(lugar);
    const [tempos] = dados;
    const longo = tempos.length > 1 && tempos[tempos.length - 1] - tempos[0] > 2 * 86400;
    // The hours of the provider, wherever the browser is: the table has them, too.
    const timeZone = raiz.dataset.fuso || undefined;
    const quando = (s, inteiro) => new Date(s * 1000).toLocaleString('pt-BR', {
      timeZone,
      ...(longo || inteiro ? { day: '2-digit', month: '2-digit' } : {}), ...(longo && !inteiro ? {} : { hour: '2-digit', minute: '2-digit' }),
    });
    const numero = (n) => (n == null ? '–' : n.toLocaleString('pt-BR'));
    const novo = new uPlot({
      width: figura.clientWidth, height: 220, ...(timeZone ? { tzDate: (s) => uPlot.tzDate(new Date(s * 1000), timeZone) } : {}), axes: [{ ...eixo, values: (_, todos) => todos.map((s) => quando(s)) }, { ...eixo, size: 64, values: (_, todos) => todos.map(numero) }],
      series: [{ label: longo ? 'Dia' : 'Hora', value: (_, s) => (s == null ? '–' : quando(s, true)) }, ...series.map((label, n) => ({ label, value: (_, v) => numero(v), stroke: cores[n], width: 2, fill: cores[n] + '22' }))],
    }, dados, lugar);
    new ResizeObserver(() => novo.setSize({ width: figura.clientWidth, height: 220 })).observe(figura);
  };

  // Whoever lost his session signs in again in a dialog; then what he had sent is sent again.
  let perdido = null;
  document.addEventListener('htmx:response:error', (e) => {
    const { ctx } = e.detail;
    const de = ctx.sourceElement;
    // What the page asks for by itself is asked for again by itself, and is not what somebody was doing.
    if (ctx.response.status === 401 && !de.matches('#ao-vivo,[data-vive]') && !de.closest('#entrar-de-novo')) perdido = de;
  });
  document.addEventListener('sessao-renovada', () => {
    document.getElementById('entrar-de-novo')?.close();
    const de = perdido;
    perdido = null;
    if (de?.matches('form')) de.requestSubmit();
    else if (de?.isConnected) htmx.trigger(de, 'click');
  });

  const chegou = (parte) => {
    for (const figura of parte.querySelectorAll('figure[data-serie]')) grafico(figura);
    const de = document.getElementById('entrar-de-novo');
    if (de?.querySelector('form')) abrir(de);
    const faltas = parte.querySelector('[data-faltas]');
    if (faltas) faltas.focus();
    // htmx writes the title after this.
    setTimeout(() => {
      const n = document.querySelector('[data-esperando]')?.dataset.esperando;
      const titulo = document.title.replace(/^\(\d+\) /, '');
      document.title = n && n !== '0' ? '(' + n + ') ' + titulo : titulo;
    });
  };
  document.addEventListener('htmx:after:swap', (e) => {
    chegou(document);
    // A form that was answered with another screen is read from its beginning, as one that the browser opened is.
    const { target, request } = e.detail.ctx ?? {};
    if (target?.id !== 'conteudo' || request?.method !== 'POST' || document.querySelector('[data-faltas]')) return;
    target.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  });
  document.addEventListener('DOMContentLoaded', () => {
    chegou(document);
    const endereco = new URL(location.href);
    if (endereco.searchParams.has('feito')) {
      endereco.searchParams.delete('feito');
      history.replaceState(null, '', endereco);
    }
  });
})();
`;
