import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import { SEMPRE } from '../tipos.regras.ts';

const DO_DIA = columns<{ acesso_id: number; dia: Data; chave: string }>('push_envios', {
  acesso_id: 'd.acesso_id',
  dia: true,
  chave: true,
});

const POR_COMANDO = 500;

/** A row of what is to be sent. */
export interface NovoEnvio {
  readonly dispositivo_id: number;
  readonly evento_id: number | null;
  readonly tipo: string;
  readonly chave: string;
  readonly titulo: string;
  readonly texto: string;
  readonly dados: string;
  readonly dia: Data;
  readonly proxima_em: string;
  readonly expira_em: string;
  readonly criado_em: string;
}

export function createEnviosQueries(w: TenantWriter) {
  return {
    /** What each access is told on some days, by its keys, of those kinds of which a day has a most. */
    async ditosNoDia(
      acessos: readonly number[],
      dias: readonly Data[],
    ): Promise<(acesso: number, dia: Data) => Set<string>> {
      const ditos = new Map<string, Set<string>>();
      const de = (acesso: number, dia: Data): Set<string> => {
        const nome = `${acesso} ${dia}`;
        const ja = ditos.get(nome) ?? new Set();
        ditos.set(nome, ja);
        return ja;
      };
      if (acessos.length > 0 && dias.length > 0) {
        const deles = w
          .from('push_envios')
          .join('push_dispositivos as d', sameTenant('push_envios', 'dispositivo_id', 'd', 'id'))
          .whereIn('d.acesso_id', [...acessos])
          .whereIn('push_envios.dia', [...dias])
          .whereNotIn('push_envios.tipo', [...SEMPRE])
          .distinct();
        for (const { acesso_id, dia, chave } of await rowsOf(deles, DO_DIA)) de(acesso_id, dia).add(chave);
      }
      return de;
    },

    async inserir(envios: readonly NovoEnvio[]): Promise<void> {
      for (let de = 0; de < envios.length; de += POR_COMANDO) {
        await w.insert('push_envios', envios.slice(de, de + POR_COMANDO));
      }
    },
  };
}
