import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { lerCampos, opcional } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { csvDaAuditoria } from './csv.ts';
import { CONSULTA_DO_FILTRO, filtroDe } from './filtro.ts';
import { CAMINHO, telaDaAuditoria, telaDeQuemViu } from './telas.ts';

/** Who did what, and who saw whose data. */
export const AUDITORIA: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: 'auditoria.ver',
    consulta: { ...CONSULTA_DO_FILTRO, antes: opcional(id) },
    async mostrar({ consulta: { antes, ...consulta }, dominio, servicos, sessao }) {
      const { provedor } = sessao;
      const lidas = await dominio.auditoria.listar(filtroDe(provedor.fusoHorario, consulta), antes ?? null);
      const usuarios = await servicos.usuarios.listar(provedor.id);
      return { tela: telaDaAuditoria({ sessao, consulta, pagina: lidas, usuarios }) };
    },
  }),

  acao(`${CAMINHO}/exportar`, {
    permissao: 'auditoria.ver',
    tambem: ['exportar'],
    prova: true,
    campos: {
      usuario: 'texto',
      acao: 'texto',
      recurso: 'texto',
      recurso_id: 'texto',
      requisicao: 'texto',
      de: 'texto',
      ate: 'texto',
    },
    async fazer(chamada) {
      const { agora, dados, sessao } = chamada;
      const { fusoHorario } = sessao.provedor;
      const filtro = filtroDe(fusoHorario, lerCampos(CONSULTA_DO_FILTRO, dados));
      const nome = `auditoria-${hojeEm(fusoHorario, agora)}.csv`;
      return { arquivo: { nome, tipo: 'text/csv; charset=utf-8', corpo: csvDaAuditoria(chamada, filtro) } };
    },
  }),

  pagina(`${CAMINHO}/quem-viu`, {
    permissao: 'auditoria.ver',
    consulta: { cliente: opcional(id), antes: opcional(id) },
    async mostrar({ consulta: { cliente, antes }, dominio, sessao }) {
      const visto = await dominio.acessos.quemViu(cliente ?? null, antes ?? null);
      return { tela: telaDeQuemViu({ fuso: sessao.provedor.fusoHorario, clienteId: cliente, visto }) };
    },
  }),
];
