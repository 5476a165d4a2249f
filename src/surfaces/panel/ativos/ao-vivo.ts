/**
 * What keeps pages true: one stream a page tells what happened, and the parts that show it (`data-vive`) are asked for anew, each at most once
 * a second, or as seldom as it says. Without the stream they are asked for every 30 seconds. A list (`data-lista`) waits while it is under the
 * pointer or scrolled away from, and a bar says what waits.
 */
export const AO_VIVO = String.raw`
(() => {
  const TIPOS = ['chamado', 'notificacao', 'conexao', 'importacao', 'tarefa', 'atualizar'];
  const SOZINHA_MS = 30000;
  const CADA_MS = 1000;
  let ligado = false;
  let conexao = null;
  const linha = () => document.getElementById('ao-vivo');
  const perguntando = () => document.getElementById('entrar-de-novo')?.open === true;

  const dizer = (estado) => {
    ligado = estado;
    const onde = linha();
    if (!onde) return;
    onde.dataset.vivo = estado ? 'sim' : 'nao';
    const dito = onde.querySelector('[data-dito]');
    const texto = estado ? 'ao vivo' : 'sem conexão ao vivo';
    if (dito.textContent !== texto) dito.textContent = texto;
  };

  const esperas = new WeakMap();
  const renovar = (parte) => {
    if (!parte.isConnected || perguntando()) return;
    const espera = esperas.get(parte);
    if (espera) {
      espera.denovo = true;
      return;
    }
    const nova = { denovo: false };
    esperas.set(parte, nova);
    setTimeout(() => {
      esperas.delete(parte);
      if (nova.denovo) chegar(parte);
    }, Number(parte.dataset.viveCada ?? 0) * 1000 || CADA_MS);
    htmx.trigger(parte, 'renovar', {}, false);
  };

  // A list whose rows may move: nobody points at it, and its beginning is in sight.
  const sossegada = (parte) => scrollY < 40 && !parte.matches(':hover');
  const guardadas = new Map();
  const barra = (parte, novos) => {
    const botao = parte.querySelector('[data-novos]');
    if (!botao) return;
    botao.hidden = false;
    const n = novos.size;
    botao.textContent = n === 0 ? 'A fila mudou: mostrar' : n === 1 ? '1 novo chamado: mostrar' : n + ' novos chamados: mostrar';
  };
  const chegar = (parte, tipo, id) => {
    if (!('lista' in parte.dataset) || sossegada(parte)) {
      guardadas.delete(parte);
      return renovar(parte);
    }
    const novos = guardadas.get(parte) ?? new Set();
    guardadas.set(parte, novos);
    const { ultimo } = parte.dataset;
    if (tipo === 'chamado' && id !== null && ultimo !== undefined && id > Number(ultimo)) novos.add(id);
    barra(parte, novos);
  };
  setInterval(() => {
    for (const parte of [...guardadas.keys()]) if (!parte.isConnected || sossegada(parte)) {
      guardadas.delete(parte);
      renovar(parte);
    }
  }, CADA_MS);
  document.addEventListener('click', (e) => {
    const parte = e.target.closest('[data-novos]')?.closest('[data-vive]');
    if (!parte) return;
    guardadas.delete(parte);
    scrollTo({ top: 0 });
    renovar(parte);
  });

  const contar = (tipo, id) => {
    for (const parte of document.querySelectorAll('[data-vive]')) {
      const { vive, viveId } = parte.dataset;
      const sua = tipo === 'atualizar' || vive.split(' ').includes(tipo);
      if (sua && (viveId === undefined || id === null || Number(viveId) === id)) chegar(parte, tipo, id);
    }
  };
  for (const tipo of TIPOS) {
    document.addEventListener(tipo, (e) => {
      if (e.target !== linha()) return;
      let id = null;
      try {
        id = JSON.parse(e.detail.data).id ?? null;
      } catch {}
      contar(tipo, id);
    });
  }

  document.addEventListener('htmx:sse:before:connection', (e) => {
    conexao = e.detail.connection;
    if (conexao.attempt > 0) dizer(false);
  });
  document.addEventListener('htmx:sse:after:connection', () => {
    dizer(true);
    contar('atualizar', null);
  });
  document.addEventListener('htmx:sse:close', () => dizer(false));
  document.addEventListener('htmx:sse:error', (e) => {
    dizer(false);
    // The session is over: what is asked for next brings the way in.
    const numeros = document.getElementById('contadores');
    if (e.detail.status === 401 && numeros) renovar(numeros);
  });
  for (const falha of ['htmx:response:error', 'htmx:error']) {
    document.addEventListener(falha, (e) => {
      if (e.detail.ctx?.sourceElement === linha()) dizer(false);
    });
  }
  const religar = () => {
    conexao?.delayCanceller?.();
    htmx.trigger(linha(), 'religar', {}, false);
  };
  setInterval(() => {
    if (ligado || document.hidden || perguntando() || !linha()) return;
    contar('atualizar', null);
    htmx.trigger(linha(), 'religar', {}, false);
  }, SOZINHA_MS);
  document.addEventListener('sessao-renovada', () => {
    religar();
    contar('atualizar', null);
  });

  document.addEventListener('htmx:after:swap', () => {
    const numeros = document.getElementById('contadores')?.dataset;
    if (!numeros) return;
    for (const onde of document.querySelectorAll('[data-conta]')) {
      const n = Number(onde.dataset.conta === 'chamados' ? numeros.chamados : numeros.naoLidas);
      onde.hidden = n === 0;
      onde.firstElementChild.textContent = n > 99 ? '99+' : String(n);
    }
  });
})();
`;
