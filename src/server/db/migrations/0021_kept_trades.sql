CREATE TABLE "deleted_bots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"exchange" text NOT NULL,
	"testnet" boolean NOT NULL,
	"position_size" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bot_trades" DROP CONSTRAINT "bot_trades_bot_id_bots_id_fk";
--> statement-breakpoint
ALTER TABLE "bot_trades" ADD COLUMN "user_id" uuid;--> statement-breakpoint
UPDATE "bot_trades" SET "user_id" = "bots"."user_id" FROM "bots" WHERE "bots"."id" = "bot_trades"."bot_id";--> statement-breakpoint
ALTER TABLE "bot_trades" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bot_trades" ADD COLUMN "feed_opened" double precision;--> statement-breakpoint
ALTER TABLE "bot_trades" ADD COLUMN "feed_closed" double precision;--> statement-breakpoint
ALTER TABLE "deleted_bots" ADD CONSTRAINT "deleted_bots_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_bots_user" ON "deleted_bots" USING btree ("user_id","deleted_at");--> statement-breakpoint
ALTER TABLE "bot_trades" ADD CONSTRAINT "bot_trades_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_trades_user" ON "bot_trades" USING btree ("user_id");