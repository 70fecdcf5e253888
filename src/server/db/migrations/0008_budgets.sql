CREATE TABLE "budgets" (
	"key" text PRIMARY KEY NOT NULL,
	"used" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "budgets_end" ON "budgets" USING btree ("ends_at");