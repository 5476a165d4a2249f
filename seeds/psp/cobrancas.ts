import { randomBytes } from 'node:crypto';
import { comporPixDinamico } from '../../src/brazil/pix/cobranca/codigo.ts';
import type { CobrancaNoPsp, CorpoDaCobranca } from './calculo.ts';
import { problema } from './resposta.ts';
import type { Resposta } from './resposta.ts';

/** The charges that the stand-in keeps, with due date (`cobv`) and without (`cob`). */
export function criarCobrancas(agora: () => Date) {
  const cobrancas = new Map<string, CobrancaNoPsp>();
  /** Of each txid, how often it was made. */
  const feitas = new Map<string, number>();
  let locations = 0;

  function fazer(tipo: 'cob' | 'cobv', txid: string, corpo: CorpoDaCobranca): Resposta {
    const ha = cobrancas.get(txid);
    if (ha !== undefined && ha.status !== 'ATIVA') return problema(400, 'CobVOperacaoInvalida', 'não está ATIVA');
    if (ha === undefined) locations += 1;
    const nova: CobrancaNoPsp = {
      tipo,
      txid,
      corpo,
      criadaEm: ha?.criadaEm ?? agora(),
      revisao: ha === undefined ? 0 : ha.revisao + 1,
      status: 'ATIVA',
      location: ha?.location ?? `pix.demonstracao.example/qr/v2/${randomBytes(16).toString('hex')}`,
      idDaLocation: ha?.idDaLocation ?? locations,
    };
    cobrancas.set(txid, nova);
    feitas.set(txid, (feitas.get(txid) ?? 0) + 1);
    return { status: 201, corpo: escrever(nova) };
  }

  function mudar(txid: string, corpo: CorpoDaCobranca): Resposta {
    const ha = cobrancas.get(txid);
    if (ha === undefined) return problema(404, 'CobVNaoEncontrada', 'não há');
    if (ha.status !== 'ATIVA') return problema(400, 'CobVOperacaoInvalida', 'não está ATIVA');
    const { status = ha.status, ...mudancas } = corpo;
    const mudada = { ...ha, status, revisao: ha.revisao + 1, corpo: { ...ha.corpo, ...mudancas } };
    cobrancas.set(txid, mudada);
    return { status: 200, corpo: escrever(mudada) };
  }

  return {
    todas: cobrancas as ReadonlyMap<string, CobrancaNoPsp>,
    feitas: feitas as ReadonlyMap<string, number>,

    responder(metodo: string, tipo: 'cob' | 'cobv', txid: string, corpo: CorpoDaCobranca): Resposta {
      if (metodo === 'GET') {
        const ha = cobrancas.get(txid);
        return ha === undefined || ha.tipo !== tipo
          ? problema(404, tipo === 'cob' ? 'CobNaoEncontrada' : 'CobVNaoEncontrada', 'não há')
          : { status: 200, corpo: escrever(ha) };
      }
      if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return problema(400, 'CobVOperacaoInvalida', 'txid');
      return metodo === 'PUT' ? fazer(tipo, txid, corpo) : mudar(txid, corpo);
    },

    concluir(cobranca: CobrancaNoPsp): void {
      cobrancas.set(cobranca.txid, { ...cobranca, status: 'CONCLUIDA' });
    },
  };
}

function escrever({ tipo, txid, corpo, criadaEm, revisao, status, location, idDaLocation }: CobrancaNoPsp): object {
  const base = {
    ...corpo,
    calendario: {
      criacao: criadaEm.toISOString(),
      ...(tipo === 'cob' ? { expiracao: 86_400 } : {}),
      ...corpo.calendario,
    },
    txid,
    revisao,
    status,
    location,
    loc: { id: idDaLocation, location, tipoCob: tipo, criacao: criadaEm.toISOString(), txid },
    pixCopiaECola: comporPixDinamico(location, { nome: 'Provedor', cidade: 'Alfenas' }),
  };
  const recebedor = {
    cnpj: '11222333000181',
    nome: 'Provedor',
    logradouro: 'Rua',
    cidade: 'Alfenas',
    uf: 'MG',
    cep: '37130001',
  };
  return tipo === 'cob' ? base : { ...base, recebedor };
}
