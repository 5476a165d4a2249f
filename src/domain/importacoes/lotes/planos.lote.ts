import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import { lerPlano } from '../linhas/planos.leitura.ts';
import type { PlanoLido } from '../linhas/planos.leitura.ts';
import { idsPorCodigo, planosDoProvedor } from './lote.queries.ts';
import type { Assunto, Julgamento } from './lote.types.ts';

interface PlanoNovo {
  readonly lido: PlanoLido;
}

type Nova = Julgamento<PlanoNovo>['novas'][number];

/** Plans; one of a name that there is already is that one. */
export const planos: Assunto<PlanoLido, PlanoNovo> = {
  ler: lerPlano,

  marcar(marcas, { codigo, plano }, registro) {
    const antes = marcas.marcar(`codigo:${codigo}`, registro.linha);
    if (antes !== null) registro.errar('codigo', `repete a linha ${antes}`);
    const comNome = marcas.marcar(`nome:${emPalavra(plano.nome)}`, registro.linha);
    if (comNome !== null && antes === null) registro.errar('nome', `a linha ${comNome} tem o mesmo`);
  },

  async julgar(leitor, lidas) {
    const porCodigo = await idsPorCodigo(
      leitor,
      'planos',
      lidas.map(({ valor }) => valor.codigo),
    );
    const nomes = new Set((await planosDoProvedor(leitor)).map(({ nome }) => emPalavra(nome)));
    const estava = ({ codigo, plano }: PlanoLido): boolean => porCodigo.has(codigo) || nomes.has(emPalavra(plano.nome));
    return {
      novas: lidas
        .filter(({ valor }) => !estava(valor))
        .map(({ linha, resumo, valor }): Nova => ({ linha, resumo, lido: valor })),
      jaEstavam: lidas.filter(({ valor }) => estava(valor)).map(({ linha, resumo }) => ({ linha, resumo, difere: [] })),
      recusadas: [],
    };
  },

  prever: (novas) => ({ planos: novas.length }),

  async gravar(w, novas) {
    const linhas = novas.map(({ lido: { plano, codigo } }) => ({
      nome: plano.nome,
      download_mbps: plano.download_mbps,
      upload_mbps: plano.upload_mbps ?? plano.download_mbps,
      valor: escreverDinheiro(plano.valor),
      tecnologia: plano.tecnologia ?? null,
      descricao: plano.descricao ?? null,
      grupo_radius: plano.grupo_radius ?? null,
      codigo_externo: codigo,
    }));
    if (linhas.length > 0) await w.insert('planos', linhas, { soughtBefore: true });
    const ids = await idsPorCodigo(
      w,
      'planos',
      novas.map(({ lido }) => lido.codigo),
    );
    if (novas.length > 0) w.touch(PROVEDOR_TAG);
    return {
      feitas: novas.map(({ linha, resumo, lido }) => ({ linha, resumo, plano_id: ids.get(lido.codigo) ?? null })),
      contagens: { planos: novas.length },
    };
  },
};
